'use client'
import { CircleAlert, Gavel, UserRound, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'

const KIND = {
  warn: { ground: 'bg-warn-tint border-warn-edge', icon: <CircleAlert className="text-warn" /> },
  offline: { ground: 'bg-warn-tint border-warn-edge', icon: <WifiOff className="text-warn" /> },
  info: { ground: 'bg-info-tint border-line-strong', icon: <UserRound className="text-info" /> },
  rules: { ground: 'bg-info-tint border-line-strong', icon: <Gavel className="text-info" /> },
}

/** A line over a pane about an unusual state: ochre for problems, blue for what other people or rules did. */
export function Banner({ kind, children, acts }: { kind: keyof typeof KIND; children: ReactNode; acts?: ReactNode }) {
  return (
    <div className={`flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b px-3 py-[7px] ${KIND[kind].ground}`}>
      <span className="flex h-[1lh] items-center self-start">{KIND[kind].icon}</span>
      <span className="min-w-48 flex-1 wrap-anywhere [&_b]:font-bold [&_b]:text-ink">{children}</span>
      {acts}
    </div>
  )
}
