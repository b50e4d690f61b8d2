'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { PolicyField } from '#components/kit/policies/policy-field.tsx'
import { usePolicies } from '#components/kit/policies/use-policies.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Field } from '#components/ui/field.tsx'
import { Keycap } from '#components/ui/keycap.tsx'
import { TextBox } from '#components/ui/text-box.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import { LazyOrderList, OrderButton, useOrder } from '../order/order-button.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { useDialogs } from '../use-dialogs.tsx'

/** The reasons for rejecting an item, in the order of their keys. */
export function ReasonsPage() {
  const t = useTranslations('reasonSettings')
  const { reasons } = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const read = useQuery(reasonsOptions(useTRPC()))
  const [isOrdering, setIsOrdering] = useState(false)
  const { open, confirm, dialog } = useDialogs()
  const queryKey = reasons.list.queryKey()
  const { order, failure } = useOrder<RejectionReason, unknown>(queryKey, {
    idOf: ({ reasonId }) => reasonId,
    send: (reasonIds) => trpcClient.reasons.order.mutate({ reasonIds }),
    said: t('ordered'),
  })
  const all = read.data ?? []

  /** Each change returns all reasons. */
  function take(changed: RejectionReason[], words: string): void {
    queryClient.setQueryData(queryKey, changed)
    announce(words)
  }

  const edit = (reason?: RejectionReason) =>
    open((close) => (
      <ReasonDialog
        reason={reason}
        onClose={close}
        onDone={(changed, words) => {
          close()
          take(changed, words)
        }}
      />
    ))

  const archive = ({ reasonId, label }: RejectionReason, after: number) =>
    confirm(
      { title: t('retireTitle', { label }), means: t('retireMeans', { after }), submit: t('retireSubmit') },
      async () => take(await trpcClient.reasons.archive.mutate({ reasonId }), t('retired', { label })),
    )

  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      acts={
        read.data && (
          <>
            {all.length > 1 && (
              <OrderButton
                labels={{ start: t('changeOrder'), done: t('orderDone') }}
                isOrdering={isOrdering}
                onChange={setIsOrdering}
              />
            )}
            <Button look="primary" onPress={() => edit()}>
              <Plus />
              {t('add')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={read} />
      {failure && (
        <p role="alert" className="mt-3 text-reject">
          {failure}
        </p>
      )}
      {read.data?.length === 0 && (
        <EmptyState isInSection icon={<ListChecks />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      )}
      {read.data && isOrdering && (
        <LazyOrderList
          label={t('title')}
          items={all.map((reason, index) => ({
            id: reason.reasonId,
            name: reason.label,
            moveLabel: t('move', { label: reason.label }),
            content: <ReasonText reason={reason} number={index + 1} />,
          }))}
          onOrder={order}
        />
      )}
      {all.length > 0 && !isOrdering && (
        <ol aria-label={t('title')} className="mt-4 border-t border-line-strong">
          {all.map((reason, index) => (
            <li key={reason.reasonId} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
              <ReasonText reason={reason} number={index + 1} />
              <span className="flex gap-1.5">
                <Button aria-label={t('changeOf', { label: reason.label })} onPress={() => edit(reason)}>
                  {t('change')}
                </Button>
                <Button
                  aria-label={t('retireOf', { label: reason.label })}
                  onPress={() => archive(reason, all.length - 1 - index)}
                >
                  {t('retire')}
                </Button>
              </span>
            </li>
          ))}
        </ol>
      )}
      {dialog}
    </SettingsPage>
  )
}

const WITH_A_KEY = 9

/** A reason with its key, if it is one of the first nine, its message to the author and its policy. */
function ReasonText({
  reason: { label, textToAuthor, policyId },
  number,
}: {
  reason: RejectionReason
  number: number
}) {
  const t = useTranslations('reasonSettings')
  const policy = useTranslations('policy')
  const title = usePolicies().titleOf(policyId)
  return (
    <>
      <span className="grid w-7 shrink-0 place-items-center">
        {number <= WITH_A_KEY ? (
          <Keycap>{String(number)}</Keycap>
        ) : (
          <span className="text-small text-ink-3" title={t('noKey')}>
            {number}
          </span>
        )}
      </span>
      <span className="min-w-40 flex-1 wrap-anywhere">
        <span dir="auto" className="block font-firm text-ink">
          {label}
        </span>
        <span dir="auto" className={`block ${textToAuthor ? '' : 'text-ink-3'}`}>
          {textToAuthor ?? t('noText')}
        </span>
        {title && <span className="block text-small text-ink-3">{policy('of', { title })}</span>}
      </span>
    </>
  )
}

interface ReasonDialogProps {
  /** The reason to change; without it, one is added. */
  reason: RejectionReason | undefined
  onClose: () => void
  /** Receives all reasons after the change. */
  onDone: (reasons: RejectionReason[], words: string) => void
}

const LABEL_LENGTH = 100
const TEXT_LENGTH = 500

/** The name of a reason and the text sent to the author. */
function ReasonDialog({ reason, onClose, onDone }: ReasonDialogProps) {
  const t = useTranslations('reasonSettings')
  const { label = '', textToAuthor = '', policyId = '' } = reason ?? {}
  const { fields, write, forget } = useDraftFields(`reason ${reason?.reasonId ?? ''}`, {
    label,
    textToAuthor,
    policyId,
  })

  async function send(): Promise<void> {
    const sent = {
      label: fields.label.trim(),
      textToAuthor: fields.textToAuthor.trim(),
      ...(fields.policyId && { policyId: fields.policyId }),
    }
    const reasons = reason
      ? await trpcClient.reasons.change.mutate({ ...sent, reasonId: reason.reasonId })
      : await trpcClient.reasons.add.mutate(sent)
    forget()
    onDone(reasons, reason ? t('changed') : t('added'))
  }

  return (
    <FormDialog
      title={reason ? t('changeTitle') : t('add')}
      submit={reason ? t('save') : t('addSubmit')}
      isWritten
      onSubmit={send}
      onClose={() => {
        forget()
        onClose()
      }}
    >
      <Field
        label={t('name')}
        hint={t('nameHint')}
        dir="auto"
        autoFocus
        required
        pattern=".*\S.*"
        autoComplete="off"
        maxLength={LABEL_LENGTH}
        value={fields.label}
        onChange={(event) => write({ label: event.target.value })}
      />
      <TextBox
        label={t('text')}
        hint={t('textHint')}
        value={fields.textToAuthor}
        onChange={(text) => write({ textToAuthor: text })}
        maxLength={TEXT_LENGTH}
      />
      <PolicyField
        policyId={fields.policyId || undefined}
        onChange={(policyId = '') => write({ policyId })}
        kept={policyId || undefined}
      />
    </FormDialog>
  )
}
