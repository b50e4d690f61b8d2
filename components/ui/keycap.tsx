/** A key as printed on the keyboard, next to its act; screen readers use `aria-keyshortcuts`. */
export function Keycap({ children, className = '' }: { children: string; className?: string }) {
  return (
    <kbd
      aria-hidden
      className={`inline-grid h-[18px] min-w-[18px] place-items-center rounded-1 border border-line-strong bg-surface px-1 font-desk text-micro leading-none font-firm text-ink-2 ${className}`}
    >
      {children}
    </kbd>
  )
}
