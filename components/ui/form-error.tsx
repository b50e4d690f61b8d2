import { CircleAlert } from 'lucide-react'

/** Why a form failed, announced immediately to screen readers, and scrolled to above the buttons of a long form. */
export function FormError({ id, children }: { id: string; children: string }) {
  return (
    <p
      id={id}
      role="alert"
      ref={scrollTo}
      className="-mt-1.5 scroll-mb-16 flex gap-1.5 text-small text-reject [&_.lucide]:mt-0.5 [&_.lucide]:size-3.5"
    >
      <CircleAlert />
      <span className="wrap-anywhere">{children}</span>
    </p>
  )
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
