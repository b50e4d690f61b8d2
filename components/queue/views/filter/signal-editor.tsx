'use client'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { SCORES } from '#components/kit/addresses/queue-search.ts'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { EditorProps } from './filter-editing.ts'
import { useFacets } from './use-facets.ts'

/** No bound. */
const ANY = ''

/** A signal that held items have a score of here, and the range of its scores. */
export function SignalEditor({ onChoose }: EditorProps) {
  const t = useTranslations('filters')
  const format = useFormatter()
  const { search } = useQueueFilter()
  const { facets, empty } = useFacets(t('noSignals'))
  const [signal, setSignal] = useState(search.signal ?? undefined)
  const [from, setFrom] = useState(toId(search.scoreFrom))
  const [under, setUnder] = useState(toId(search.scoreUnder))

  const names = [...new Set([...(search.signal ? [search.signal] : []), ...(facets?.signals ?? [])])].sort()
  const chosen = signal ?? names[0]
  const optionsOf = (scores: number[], any: string) => [
    { id: ANY, label: any },
    ...scores.map((score) => ({ id: String(score), label: format.number(score, { minimumFractionDigits: 2 }) })),
  ]
  const above = SCORES.filter((score) => from === ANY || score > Number(from))
  const isAbove = above.some((score) => String(score) === under)

  if (chosen === undefined) return <p className="px-3 py-2">{empty}</p>
  return (
    <form
      className="grid w-[min(17rem,calc(100vw-2rem))] grid-cols-2 gap-2 p-2"
      action={() => onChoose({ signal: chosen, scoreFrom: toScore(from), scoreUnder: isAbove ? toScore(under) : null })}
    >
      <span className="col-span-2">
        <Select
          autoFocus
          label={t('scores.signal')}
          options={names.map((name) => ({ id: name, label: name }))}
          value={chosen}
          onChange={setSignal}
        />
      </span>
      <Select
        label={t('scores.atLeast')}
        options={optionsOf(SCORES, t('scores.any'))}
        value={from}
        onChange={setFrom}
      />
      <Select
        label={t('scores.lessThan')}
        options={optionsOf(above, t('scores.any'))}
        value={isAbove ? under : ANY}
        onChange={setUnder}
      />
      <Button type="submit" className="justify-self-start">
        {t('scores.apply')}
      </Button>
    </form>
  )
}

const toId = (score: number | null) => (score === null ? ANY : String(score))
const toScore = (id: string) => (id === ANY ? null : Number(id))
