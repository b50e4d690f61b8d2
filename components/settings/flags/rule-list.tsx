'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { DataTable, type TableColumn } from '#components/ui/data-table.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { pagerProps } from '#components/ui/pager-props.ts'
import type { KeptRule, ListKind } from '#server/modules/network/word-lists/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { useDialogs } from '../use-dialogs.tsx'
import { readAllowPattern, readBlockPattern } from './patterns.ts'

/** Loaded when it opens: the server's limits come with zod. */
const RulesDialog = lazyPart(() => import('./rules-dialog.tsx').then(({ RulesDialog }) => RulesDialog), {
  onFailed: ({ onClose }) => onClose(),
})

interface RuleListProps {
  list: ListKind
  onDone: (done: Done) => void
}

/** One list: its rules, what each of them matches, and who added it. */
export function RuleList({ list, onDone }: RuleListProps) {
  const t = useTranslations('flags')
  const [cursor, setCursor] = useState<string>()
  const read = useQuery(
    useTRPC().lists.kept.queryOptions({ list, ...(cursor && { cursor }) }, { placeholderData: keepPreviousData }),
  )
  const readAgain = useReadListsAgain()
  const { rules, count = 0, next, previous } = read.data ?? {}
  const { open, dialog } = useDialogs()
  const add = () =>
    open((close) => (
      <RulesDialog
        list={list}
        onClose={close}
        onDone={(done) => {
          close()
          setCursor(undefined)
          void readAgain()
          onDone(done)
        }}
      />
    ))

  return (
    <SettingsSection
      id={`${list}-list`}
      title={
        <>
          {t(`lists.${list}`)}{' '}
          <span className="font-normal text-ink-3">{count > 0 && t(`counts.${list}`, { count })}</span>
        </>
      }
      acts={
        <Button onPress={add}>
          <Plus />
          {t(`add.${list}`)}
        </Button>
      }
    >
      <QueryState query={read} />
      {rules?.length === 0 && <p className="mt-1">{t(`empty.${list}`)}</p>}
      {rules && rules.length > 0 && <Rules list={list} rules={rules} onDone={onDone} />}
      {(next || previous) && (
        <div className="flex pt-1">
          <Pager {...pagerProps(read, setCursor)} />
        </div>
      )}
      {dialog}
    </SettingsSection>
  )
}

function Rules({ list, rules, onDone }: RuleListProps & { rules: KeptRule[] }) {
  const t = useTranslations('flags')
  const times = useTimes()
  const { remove, dialog } = useRemove(list, onDone)
  const read = ({ regex, isMatchExactWord }: KeptRule) =>
    list === 'allow' ? readAllowPattern(regex) : readBlockPattern(regex, isMatchExactWord)
  const columns: TableColumn<KeptRule>[] = [
    {
      id: 'rule',
      header: t(`columns.${list}`),
      isRowHeader: true,
      cell: (rule) => (
        <code className="font-code text-small font-normal wrap-anywhere text-ink">{read(rule).shown}</code>
      ),
    },
    { id: 'matches', header: t('matches'), cell: (rule) => t(`meanings.${read(rule).meaning}`) },
    ...(list === 'block' ? [whereColumn(t)] : []),
    {
      id: 'added',
      header: t('addedBy'),
      align: 'end',
      hiddenOn: 'phone',
      cell: ({ addedBy, createdAt }) => (
        <span className="text-ink-3" title={times.exact(createdAt)}>
          {t('whoWhen', { who: addedBy?.displayName ?? t('aToken'), when: times.brief(createdAt) })}
        </span>
      ),
    },
    {
      id: 'remove',
      header: t('remove'),
      align: 'end',
      cell: (rule) => (
        <Button
          look="icon"
          aria-label={t('removeOf', { rule: read(rule).shown })}
          onPress={() => void remove(rule, read(rule).shown)}
        >
          <X />
        </Button>
      ),
    },
  ]
  return (
    <div className="[--edge:0px]">
      <DataTable label={t(`lists.${list}`)} columns={columns} items={rules} idOf={({ ruleId }) => ruleId} />
      {dialog}
    </div>
  )
}

function whereColumn(t: ReturnType<typeof useTranslations<'flags'>>): TableColumn<KeptRule> {
  return {
    id: 'where',
    header: t('where'),
    hiddenOn: 'phone',
    cell: ({ category }) => t(`categories.${category}`),
  }
}

/** Removes a rule immediately, and restores it unchanged on undo. Asks before what ends all links: what is refused until then is lost. */
function useRemove(list: ListKind, onDone: (done: Done) => void) {
  const t = useTranslations('flags')
  const { lists, settings } = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const readAgain = useReadListsAgain()
  const { confirm, dialog } = useDialogs()
  const removing = useMutation(lists.remove.mutationOptions({ onSettled: readAgain }))
  const adding = useMutation(lists.add.mutationOptions({ onSettled: readAgain }))

  async function refusesAllLinks(): Promise<boolean> {
    if (list === 'block') return false
    const [{ count }, flags] = await Promise.all([
      queryClient.fetchQuery({ ...lists.kept.queryOptions({ list }), staleTime: 0 }),
      queryClient.fetchQuery({ ...settings.flags.queryOptions(), staleTime: 0 }),
    ])
    return count === 1 && flags.settings.isWhitelistEnabled
  }

  async function remove({ ruleId, regex, isMatchExactWord, category }: KeptRule, shown: string): Promise<void> {
    const removeNow = async () => {
      await removing.mutateAsync({ list, ruleId })
      onDone({
        words: t('removed', { rule: shown }),
        undo: () => adding.mutateAsync({ list, regexs: [regex], isMatchExactWord, category }),
      })
    }
    try {
      if (!(await refusesAllLinks())) return await removeNow()
      confirm({ title: t('emptyTitle'), about: shown, means: t('emptyMeans'), submit: t('remove') }, removeNow)
    } catch (error) {
      announce(errorMessageOf(error) ?? '')
    }
  }
  return { remove, dialog }
}

/** Refetches the lists, and the result of a tested text. */
function useReadListsAgain() {
  const { lists } = useTRPC()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(lists.pathFilter())
}
