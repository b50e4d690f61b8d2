'use client'
import { ChevronLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'

interface SettingsPageProps {
  title: ReactNode
  /** A description in a sentence or two. */
  lead?: ReactNode
  acts?: ReactNode
  /** A banner above the content. */
  strip?: ReactNode
  /** Whether it uses the full width. */
  isWide?: boolean
  children: ReactNode
}

/** A page of the settings; it scrolls by itself. */
export function SettingsPage({ title, lead, acts, strip, isWide = false, children }: SettingsPageProps) {
  return (
    // Relative, because React Aria's visually hidden checkboxes are positioned by it.
    <main className="relative min-h-0 overflow-auto">
      {strip}
      <div className={`${isWide ? '' : 'max-w-205'} px-6 pt-5 pb-12 phone:px-3 phone:pt-4`}>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-0 flex-1 basis-64">
            <h1 className="text-title font-bold tracking-[-0.012em] text-ink">{title}</h1>
            {lead && <p className="max-w-[68ch]">{lead}</p>}
          </div>
          {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
        </div>
        {children}
      </div>
    </main>
  )
}

interface SettingsSectionProps {
  /** The anchor for links to the section. */
  id: string
  title: ReactNode
  acts?: ReactNode
  children: ReactNode
}

/** A group of settings under a heading. */
export function SettingsSection({ id, title, acts, children }: SettingsSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-5 border-t border-line-strong pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={`${id}-title`} className="min-w-0 flex-1 text-large font-bold text-ink">
          {title}
        </h2>
        {acts}
      </div>
      {children}
    </section>
  )
}

/** A link to the parent page. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className="mb-0.5 flex min-h-6 w-fit items-center gap-1 font-firm">
      <ChevronLeft className="size-3.5 rtl:-scale-x-100" />
      {children}
    </Link>
  )
}
