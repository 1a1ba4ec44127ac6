import { type ReactNode, useEffect, useRef } from 'react';

/** One page: a heading that takes the focus when the page is opened from another one. */
export function Page({
  title,
  quiet = false,
  className = '',
  lead,
  children,
}: {
  title: string;
  /** Heading for screen readers only. */
  quiet?: boolean;
  className?: string;
  /** Stands above the heading. */
  lead?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const open = document.activeElement;
    // Only a link that went away with its page leaves the focus on the body; a field being typed in keeps it.
    if (open === document.body || open?.closest('nav')) heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return (
    <main id="page" className={`page ${className}`} tabIndex={-1}>
      {lead}
      <h1 ref={heading} tabIndex={-1} className={quiet ? 'visually-hidden' : 'page-title'}>
        {title}
      </h1>
      {children}
    </main>
  );
}
