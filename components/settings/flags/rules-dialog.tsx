'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { Choices } from '#components/ui/choices.tsx'
import { TextBox } from '#components/ui/text-box.tsx'
import { LISTS_TOO_LARGE, type ListKind, PATTERN_CHARACTERS_LIMIT } from '#server/modules/network/word-lists/schema.ts'
import { type AllowMeaning, type BlockMeaning, toAllowPattern, toBlockPattern } from './patterns.ts'

interface RulesDialogProps {
  list: ListKind
  onClose: () => void
  onDone: (done: Done) => void
}

const MEANINGS = {
  allow: ['subdomains', 'exact', 'pattern'],
  block: ['word', 'anywhere', 'pattern'],
} as const satisfies { allow: AllowMeaning[]; block: BlockMeaning[] }

const RULES_AT_ONCE = 100

/** Adds sites or words, one per line, and what each of them means. */
export function RulesDialog({ list, onClose, onDone }: RulesDialogProps) {
  const t = useTranslations('flags')
  const errorMessageOf = useErrorMessage()
  const { fields, write, forget } = useDraftFields(`rules ${list}`, { typed: '' })
  const [allowed, setAllowed] = useState<AllowMeaning>('subdomains')
  const [blocked, setBlocked] = useState<BlockMeaning>('word')

  async function send(): Promise<void> {
    const lines = fields.typed
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    if (lines.length === 0) throw new Incomplete(t('writeSome'))
    if (lines.length > RULES_AT_ONCE) throw new Incomplete(t('tooMany', { limit: RULES_AT_ONCE }))
    const rules = await trpcClient.lists.add.mutate({
      list,
      regexs: lines.map((line) => (list === 'allow' ? toAllowPattern(line, allowed) : toBlockPattern(line, blocked))),
      isMatchExactWord: list === 'block' && blocked === 'word',
    })
    forget()
    onDone({
      words: t(`added.${list}`, { count: rules.length }),
      undo: () => Promise.all(rules.map(({ ruleId }) => trpcClient.lists.remove.mutate({ list, ruleId }))),
    })
  }

  function messageOf(error: unknown): string | undefined {
    const { code, facts } = toRequestError(error)
    if (code !== 'UNPROCESSABLE_CONTENT') return errorMessageOf(error)
    const isTooMuch = JSON.stringify(facts ?? {}).includes(LISTS_TOO_LARGE)
    return isTooMuch ? t('tooMuch', { limit: PATTERN_CHARACTERS_LIMIT }) : t('unreadable')
  }

  return (
    <FormDialog
      title={t(`add.${list}`)}
      submit={t('addSubmit')}
      isWritten
      errorMessageOf={messageOf}
      onSubmit={send}
      onClose={onClose}
    >
      <TextBox
        label={t(`typed.${list}`)}
        hint={t('oneALine')}
        value={fields.typed}
        onChange={(typed) => write({ typed })}
        maxLength={20_000}
        rows={4}
        autoFocus
        isRequired
      />
      {list === 'allow' ? (
        <Choices
          legend={t('matches')}
          choices={MEANINGS.allow.map((id) => ({ id, label: t(`meanings.${id}`) }))}
          chosen={allowed}
          onChoose={setAllowed}
        />
      ) : (
        <Choices
          legend={t('matches')}
          choices={MEANINGS.block.map((id) => ({ id, label: t(`meanings.${id}`) }))}
          chosen={blocked}
          onChoose={setBlocked}
        />
      )}
    </FormDialog>
  )
}
