'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { TextBox } from '#components/ui/text-box.tsx'
import { APPEAL_LENGTH } from '#server/modules/network/policies/schema.ts'

/** Sends the one appeal against a statement, with the link that led to it. What was written stays until it is sent. */
export function AppealForm({ token }: { token: string }) {
  const t = useTranslations('statement.appeal')
  const router = useRouter()
  const [words, setWords] = useState('')
  const { mutate, error, isPending } = useMutation(
    useTRPC().statements.appeal.mutationOptions({ meta: { isPublic: true }, onSuccess: () => router.refresh() }),
  )
  const isOver = ['CONFLICT', 'NOT_FOUND'].includes(toRequestError(error).code ?? '')
  return (
    <form
      className="mt-2 grid justify-items-start gap-3 print:hidden"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) mutate({ token, words: words.trim() })
      }}
    >
      <div className="w-full">
        <TextBox label={t('words')} value={words} onChange={setWords} maxLength={APPEAL_LENGTH} rows={6} isRequired />
      </div>
      {error && <FormError id="appeal-failure">{t(isOver ? 'isOver' : 'failed')}</FormError>}
      <Button type="submit" look="primary" isPending={isPending}>
        {t('submit')}
      </Button>
    </form>
  )
}
