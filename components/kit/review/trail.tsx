import type { ReactNode } from 'react'

const NODE = {
  plain: 'start-px top-[7px] size-[7px] rounded-full border-[1.5px] border-ink-3 bg-surface',
  now: 'start-0 top-1.5 size-[9px] rounded-full',
  approved: 'start-px top-[7px] size-[7px] rounded-full bg-approve',
  rejected: 'start-px top-[7px] size-[7px] rounded-[1px] bg-reject',
}
export type TrailNode = keyof typeof NODE

/** Extends the age line to connect the parts of a thread, in order. */
export function Trail({ children }: { children: ReactNode }) {
  return <ol>{children}</ol>
}

export function TrailStep({
  node = 'plain',
  nodeColour = '',
  isTight = false,
  children,
}: {
  node?: TrailNode
  nodeColour?: string
  isTight?: boolean
  children: ReactNode
}) {
  return (
    <li className={`group/step relative ps-[22px] last:pb-0 ${isTight ? 'pb-2 text-small' : 'pb-5'}`}>
      <span
        aria-hidden
        className="absolute start-1 top-3.5 -bottom-1.5 w-px bg-line-strong forced-color-adjust-none group-last/step:hidden"
      />
      <span
        aria-hidden
        className={`absolute forced-color-adjust-none ${NODE[node]} ${nodeColour} ${isTight ? '-mt-0.5' : ''}`}
      />
      {children}
    </li>
  )
}

/** The author's name, with facts about them. */
export function By({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-small text-ink-3 [&>b]:text-base [&>b]:font-bold [&>b]:text-ink">
      {children}
    </div>
  )
}
