import type { ReactNode } from 'react';

/** A boxed remark. Problems are announced at once, remarks are not. */
export function Notice({
  title,
  tone,
  children,
}: {
  title: string;
  tone: 'problem' | 'remark';
  children?: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'problem' ? 'alert' : undefined}>
      <p className="notice-title">{title}</p>
      {children}
    </div>
  );
}
