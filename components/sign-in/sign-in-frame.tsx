import type { ReactNode } from 'react'
import { Brand } from '#components/kit/frame/brand.tsx'

/** The frame of sign-in and first set-up. */
export function SignInFrame({
  title,
  note,
  foot,
  host,
  children,
}: {
  title: string
  note?: ReactNode
  foot?: string
  host: string
  children: ReactNode
}) {
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto] items-center justify-items-center p-4">
      <div className="relative w-[min(392px,100%)] rounded-s-[2px] rounded-e-3 border border-line-strong bg-surface pt-7 pe-7 pb-6 ps-[34px] phone:pt-[22px] phone:pe-[18px] phone:pb-[18px] phone:ps-6">
        <span aria-hidden className="absolute -inset-y-px -start-px w-1.5 bg-age-3 forced-color-adjust-none" />
        <p className="mb-[22px] flex items-center gap-[9px] text-large font-bold tracking-[-0.015em] text-ink">
          <Brand />
        </p>
        <h1 className="text-title font-bold tracking-[-0.012em] text-ink">{title}</h1>
        {note}
        {children}
        {foot && <p className="mt-[18px] text-small text-ink-3">{foot}</p>}
      </div>
      <p className="mt-4 text-small text-ink-3">{host}</p>
    </main>
  )
}

/** A note on the sign-in page: about something done, or neutral. */
export function SignInNote({
  icon,
  isNeutral = false,
  children,
}: {
  icon: ReactNode
  isNeutral?: boolean
  children: ReactNode
}) {
  return (
    <p
      className={`mt-3 flex gap-2 rounded-2 bg-sunken px-2.5 py-2 [&_.lucide]:mt-0.5 ${isNeutral ? '[&_.lucide]:text-ink-3' : '[&_.lucide]:text-approve'}`}
    >
      {icon}
      <span>{children}</span>
    </p>
  )
}
