'use client'
import { CircleAlert, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '#components/ui/badge.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { useCopy } from '#components/ui/use-copy.ts'
import { Facts } from '../rows.tsx'

interface ServiceSectionProps {
  id: string
  /** Its heading, and what is below it. */
  head: ReactNode
  /** A new secret, while it is shown. */
  secret: string | undefined
  onKept: () => void
  /** A problem that needs attention. */
  notice: ReactNode
  facts: [name: string, value: ReactNode][]
  acts: ReactNode
  failure: string | undefined
  /** The result of a test. */
  children: ReactNode
}

/** A program of somebody else that Docket calls: its state, what can be done with it, and what came of that. */
export function ServiceSection(props: ServiceSectionProps) {
  return (
    <section aria-labelledby={props.id} className="mt-5 border-t border-line-strong pt-4">
      {props.head}
      {props.secret && <ShownSecret secret={props.secret} onKept={props.onKept} />}
      {props.notice}
      <Facts facts={props.facts} />
      <div className="mt-2.5 flex flex-wrap gap-2">{props.acts}</div>
      <div aria-live="polite">
        {props.failure && <p className="mt-2 text-reject">{props.failure}</p>}
        {props.children}
      </div>
    </section>
  )
}

/** A secret that is shown only once: it stays until the person confirms that they have saved it. */
function ShownSecret({ secret, onKept }: { secret: string; onKept: () => void }) {
  const t = useTranslations('webhooks')
  const copy = useCopy()
  return (
    <div className="mt-2.5 rounded-2 bg-sunken px-2.5 py-2 forced-colors:border">
      <p className="font-firm text-ink">{t('secretOnce')}</p>
      <code dir="ltr" className="block py-1.5 font-code wrap-anywhere text-ink select-all">
        {secret}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button autoFocus onPress={() => void copy(secret, t('secretCopied'))}>
          <Copy />
          {t('copySecret')}
        </Button>
        <Button look="bare" onPress={onKept}>
          {t('kept')}
        </Button>
      </div>
    </div>
  )
}

/** A banner above the facts of a service. */
export function Notice({ children, acts }: { children: ReactNode; acts?: ReactNode }) {
  return (
    <div className="mt-2.5 overflow-hidden rounded-2 border border-b-0 border-warn-edge">
      <Banner kind="warn" acts={acts}>
        {children}
      </Banner>
    </div>
  )
}

/** A badge for a state that is not the usual one. */
export function StateBadge({ look, children }: { look: 'plain' | 'warn' | 'reject'; children: ReactNode }) {
  return (
    <Badge look={look}>
      {look !== 'plain' && <CircleAlert />}
      {children}
    </Badge>
  )
}
