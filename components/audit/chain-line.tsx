'use client'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Banner } from '#components/ui/banner.tsx'

const READ_EVERY_MS = 15_000

/** How far the log's hash chain has been verified, when all of it was last verified, and any error found. */
export function ChainLine() {
  const t = useTranslations('audit.chain')
  const times = useTimes()
  const { data: chain } = useQuery(useTRPC().audit.chain.queryOptions(undefined, { refetchInterval: READ_EVERY_MS }))
  if (!chain) return null
  const { latest, whole, unsealed } = chain
  const problem = latest?.problem ?? whole?.problem
  if (problem !== undefined) {
    return (
      <Banner kind="warn">
        {t.rich('broken', { b: (words) => <b>{words}</b>, problem })} {t('proof')}
      </Banner>
    )
  }
  const Icon = latest ? ShieldCheck : CircleAlert
  return (
    <p className="text-ink-3">
      <Icon className="me-1.5 inline size-4 align-text-bottom" />
      {latest
        ? t('verified', { seq: Number(latest.seq), sealed: Number(chain.sealed), time: times.exact(latest.at) })
        : t('notYet')}{' '}
      {unsealed > 0 && t('unsealed', { count: unsealed })}{' '}
      {whole?.finishedAt
        ? t('whole', { time: times.exact(whole.finishedAt) })
        : t('walking', { seq: Number(whole?.seq ?? 0), sealed: Number(chain.sealed) })}
    </p>
  )
}
