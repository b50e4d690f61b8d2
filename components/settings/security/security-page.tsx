'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { NewPasswordField } from '#components/kit/sign-in/new-password-field.tsx'
import { addPasskey } from '#components/kit/sign-in/passkey.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import type { OwnSignIn, StaffSession } from '#server/modules/accounts/staff/schema.ts'
import { NameField } from '../fields.tsx'
import { Row } from '../rows.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { SessionsList } from '../staff/sessions-list.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { CodesSection } from './codes-section.tsx'
import { usePasswordErrorMessage } from './use-password-error-message.ts'

/** The person's sign-in methods and sessions. */
export function SecurityPage() {
  const t = useTranslations('security')
  const parts = useTranslations('settingsParts')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const read = useQuery(trpc.ownSignIn.read.queryOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(trpc.ownSignIn.pathFilter()))

  return (
    <SettingsPage title={parts('security')} lead={t('lead')}>
      <QueryState query={read} />
      {read.data && (
        <>
          {read.data.hasPassword && <PasswordSection acts={acts} />}
          {read.data.hasPassword && <CodesSection isOn={read.data.hasSecondFactor} acts={acts} />}
          <PasskeysSection passkeys={read.data.passkeys} acts={acts} />
          <OwnSessions sessions={read.data.sessions} acts={acts} />
        </>
      )}
      {acts.toast}
    </SettingsPage>
  )
}

/** The person's sessions; the current one ends by signing out. */
function OwnSessions({ sessions, acts }: { sessions: StaffSession[]; acts: SettingsActs }) {
  const t = useTranslations('security.sessions')
  const end = (which: { sessionId?: string }, count: number, words: string) =>
    acts.confirm(
      { title: t('askTitle'), means: t('askMeans', { sessions: count }), submit: t('askSubmit') },
      () => trpcClient.ownSignIn.endSessions.mutate(which),
      { words },
    )
  return (
    <SettingsSection
      id="sessions"
      title={t('title')}
      acts={
        sessions.length > 1 && (
          <Button onPress={() => end({}, sessions.length - 1, t('othersEnded'))}>{t('endOthers')}</Button>
        )
      }
    >
      <SessionsList sessions={sessions} onEnd={({ sessionId }) => end({ sessionId }, 1, t('ended'))} />
    </SettingsSection>
  )
}

interface PasskeysSectionProps {
  passkeys: OwnSignIn['passkeys']
  acts: SettingsActs
}

/** The person's passkeys, which sign in without a password. */
function PasskeysSection({ passkeys, acts }: PasskeysSectionProps) {
  const t = useTranslations('security.passkeys')
  const times = useTimes()
  const add = () =>
    acts.open((close) => (
      <AddPasskeyDialog
        onClose={close}
        onAdded={(name) => {
          close()
          acts.done({ words: t('done', { name }) })
        }}
      />
    ))
  const remove = (passkeyId: string, name: string) =>
    acts.confirm(
      { title: t('askTitle'), about: name, means: t('askMeans', { left: passkeys.length - 1 }), submit: t('remove') },
      () => trpcClient.ownSignIn.removePasskey.mutate({ passkeyId }),
      { words: t('removed', { name }) },
    )
  return (
    <SettingsSection id="passkeys" title={t('title')} acts={<Button onPress={add}>{t('open')}</Button>}>
      <p className="mt-2 max-w-[68ch]">{t('means')}</p>
      <ul className="mt-1">
        {passkeys.map(({ passkeyId, name = t('unnamed'), addedAt }) => (
          <Row key={passkeyId} title={name} about={t('added', { time: times.exact(addedAt) })}>
            <Button aria-label={t('removeThis', { name })} onPress={() => remove(passkeyId, name)}>
              {t('remove')}
            </Button>
          </Row>
        ))}
      </ul>
    </SettingsSection>
  )
}

/** Asks only for a name; the browser does the rest. */
function AddPasskeyDialog({ onAdded, onClose }: { onAdded: (name: string) => void; onClose: () => void }) {
  const t = useTranslations('security.passkeys')
  const [name, setName] = useState('')

  async function add(): Promise<void> {
    const answer = await addPasskey(name.trim())
    if (answer !== 'done') throw new Incomplete(t(`refused.${answer}`))
    onAdded(name.trim())
  }

  return (
    <FormDialog title={t('submit')} submit={t('submit')} onSubmit={add} onClose={onClose}>
      <NameField label={t('name')} hint={t('nameHint')} name={name} onChange={setName} />
    </FormDialog>
  )
}

/** Changes the password; all other sessions are signed out. */
function PasswordSection({ acts }: { acts: SettingsActs }) {
  const t = useTranslations('security.password')
  const errorId = useId()
  const errorMessageOf = usePasswordErrorMessage()
  const changing = useMutation(useTRPC().ownSignIn.changePassword.mutationOptions())
  const error = errorMessageOf(changing.error)

  async function send(form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form)
    const { endedSessions } = await changing.mutateAsync({
      currentPassword: String(fields.get('current')),
      newPassword: String(fields.get('new')),
    })
    form.reset()
    acts.done({ words: t('done', { sessions: endedSessions }) })
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    void send(event.currentTarget).catch(() => undefined)
  }

  return (
    <SettingsSection id="password" title={t('title')}>
      <form method="post" onSubmit={submit} className="mt-3 grid max-w-90 gap-3.5">
        <Field label={t('current')} name="current" type="password" autoComplete="current-password" required />
        <NewPasswordField label={t('new')} name="new" errorId={error ? errorId : undefined} />
        {error && <FormError id={errorId}>{error}</FormError>}
        <Button type="submit" className="justify-self-start" isPending={changing.isPending}>
          {t('submit')}
        </Button>
      </form>
    </SettingsSection>
  )
}
