import { CircleAlert } from 'lucide-react'

/** Why a form failed, announced immediately to screen readers. */
export function FormError({ id, children }: { id: string; children: string }) {
  return (
    <p
      id={id}
      role="alert"
      className="-mt-1.5 flex gap-1.5 text-small text-reject [&_.lucide]:mt-0.5 [&_.lucide]:size-3.5"
    >
      <CircleAlert />
      <span className="wrap-anywhere">{children}</span>
    </p>
  )
}
