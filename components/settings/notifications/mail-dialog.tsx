'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { Field } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import type { MailSecurity, MailSettings } from '#server/modules/integrations/notifications/schema.ts'

const SECURITIES = ['starttls', 'tls'] as const satisfies MailSecurity[]
const PORTS = { starttls: '587', tls: '465' }

interface MailDialogProps {
  settings: MailSettings
  onClose: () => void
  onDone: () => void
}

/** Sets or changes the mail server. A stored password stays unless another one is entered. */
export function MailDialog({ settings: { version, server }, onClose, onDone }: MailDialogProps) {
  const t = useTranslations('mailSettings')
  const [fields, setFields] = useState({
    host: server?.host ?? '',
    port: String(server?.port ?? PORTS.starttls),
    username: server?.username ?? '',
    password: '',
    fromAddress: server?.fromAddress ?? '',
    fromName: server?.fromName ?? 'Docket',
  })
  const [security, setSecurity] = useState<MailSecurity>(server?.security ?? 'starttls')
  const field = (name: keyof typeof fields) => ({
    label: t(name),
    dir: 'ltr',
    autoComplete: 'off',
    spellCheck: false,
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields({ ...fields, [name]: target.value }),
  })

  async function send(): Promise<void> {
    const { host, port, username, password, fromAddress, fromName } = fields
    await trpcClient.notifications.changeMail.mutate({
      version,
      server: {
        ...{ host: host.trim(), port: Number(port), security, username, fromName },
        fromAddress: fromAddress.trim(),
        ...(username === '' ? { password: null } : password !== '' && { password }),
      },
    })
    onDone()
  }

  function chooseSecurity(chosen: MailSecurity): void {
    setSecurity(chosen)
    if (fields.port === PORTS[security]) setFields({ ...fields, port: PORTS[chosen] })
  }

  return (
    <FormDialog title={t('server')} submit={t('save')} onSubmit={send} onClose={onClose}>
      <Field
        {...field('host')}
        hint={t('hostHint')}
        required
        autoFocus
        maxLength={253}
        placeholder="mail.example.org"
      />
      <Select
        isField
        label={t('security')}
        options={SECURITIES.map((id) => ({ id, label: t(`securities.${id}`) }))}
        value={security}
        onChange={chooseSecurity}
      />
      <Field {...field('port')} isShort required type="number" inputMode="numeric" min={1} max={65_535} />
      <Field {...field('username')} hint={t('usernameHint')} maxLength={200} />
      <Field
        {...field('password')}
        type="password"
        autoComplete="new-password"
        maxLength={1_000}
        {...(server?.hasPassword && { hint: t('passwordKept') })}
      />
      <Field {...field('fromAddress')} type="email" required maxLength={200} placeholder="docket@example.org" />
      <Field {...field('fromName')} dir="auto" required maxLength={100} />
    </FormDialog>
  )
}
