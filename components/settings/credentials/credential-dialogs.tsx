'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { Choices } from '#components/ui/choices.tsx'
import type { Credentials, IssuedSecret } from '#server/modules/accounts/access/schema.ts'
import { NameField } from '../fields.tsx'

interface KeyDialogProps {
  onClose: () => void
  onIssued: (secret: IssuedSecret) => void
}

const KINDS = {
  app: ['sessions'],
  appWithRoles: ['sessions', 'roles'],
  server: ['server'],
  classifier: ['signals'],
} as const

/** Creates a key: a public one for an app, or a secret one for a backend or a classifier. */
export function KeyDialog({ onClose, onIssued }: KeyDialogProps) {
  const t = useTranslations('credentials.keys')
  const { fields, write, forget } = useDraftFields('key', { name: '' })
  const [kind, setKind] = useState<keyof typeof KINDS>('app')

  async function send(): Promise<void> {
    const secret = await trpcClient.credentials.issueKey.mutate({ name: fields.name.trim(), allows: [...KINDS[kind]] })
    forget()
    onIssued(secret)
  }

  return (
    <FormDialog title={t('dialog')} submit={t('submit')} onSubmit={send} onClose={onClose}>
      <NameField label={t('name')} hint={t('nameHint')} name={fields.name} onChange={(name) => write({ name })} />
      <Choices
        legend={t('kind')}
        choices={(['app', 'appWithRoles', 'server', 'classifier'] as const).map((id) => ({
          id,
          label: t(`kinds.${id}`),
          hint: t(`kinds.${id}Hint`),
        }))}
        chosen={kind}
        onChoose={setKind}
      />
    </FormDialog>
  )
}

const DAY_HOURS = 24
const TERMS = { day: DAY_HOURS, month: 30 * DAY_HOURS, quarter: 90 * DAY_HOURS, year: 365 * DAY_HOURS }

/** Creates a token for programs in admin context: its name, its role and its lifetime. */
export function TokenDialog({ roles, onClose, onIssued }: KeyDialogProps & { roles: Credentials['grantable'] }) {
  const t = useTranslations('credentials.tokens')
  const { fields, write, forget } = useDraftFields('token', { name: '' })
  const [roleId, setRoleId] = useState<string>()
  const [term, setTerm] = useState<keyof typeof TERMS>('quarter')

  async function send(): Promise<void> {
    if (roleId === undefined) throw new Incomplete(t('chooseRole'))
    const token = { name: fields.name.trim(), roleId, hours: TERMS[term] }
    const secret = await trpcClient.credentials.issueToken.mutate(token)
    forget()
    onIssued(secret)
  }

  return (
    <FormDialog title={t('dialog')} submit={t('submit')} onSubmit={send} onClose={onClose}>
      <NameField label={t('name')} hint={t('nameHint')} name={fields.name} onChange={(name) => write({ name })} />
      <Choices
        legend={t('role')}
        choices={roles.map(({ roleId, displayName }) => ({ id: roleId, label: displayName }))}
        chosen={roleId}
        onChoose={setRoleId}
        columns={2}
      />
      <Choices
        legend={t('term')}
        choices={(['day', 'month', 'quarter', 'year'] as const).map((id) => ({ id, label: t(`terms.${id}`) }))}
        chosen={term}
        onChoose={setTerm}
        columns={2}
      />
    </FormDialog>
  )
}
