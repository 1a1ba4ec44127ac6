import { type ReactNode, useEffect, useRef } from 'react';
import { useApp } from '../store/context.tsx';

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
  const arrived = useApp((s) => s.visits > 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only being opened moves the focus
  useEffect(() => {
    const focused = document.activeElement;
    // The visit itself leaves the focus where the browser puts it, and a field being typed in keeps it.
    if (arrived && (focused === document.body || focused?.closest('nav'))) {
      heading.current?.focus({ preventScroll: true });
    }
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
