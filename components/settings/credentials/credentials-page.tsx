'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import {
  type CredentialInput,
  type Credentials,
  type IssuedSecret,
  type KeyAllows,
  SESSIONS_COUNTED,
} from '#server/modules/accounts/access/schema.ts'
import { LazySecretDialog, loadSecretDialog } from '../lazy-secret-dialog.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { useSettingsActs } from '../use-settings-acts.tsx'
import { type CredentialLine, CredentialList } from './credential-list.tsx'

const onFailed = ({ onClose }: { onClose: () => void }) => onClose()
const KeyDialog = lazyPart(
  () => Promise.all([import('./key-dialog.tsx'), loadSecretDialog()]).then(([{ KeyDialog }]) => KeyDialog),
  { onFailed },
)
const TokenDialog = lazyPart(
  () => Promise.all([import('./token-dialog.tsx'), loadSecretDialog()]).then(([{ TokenDialog }]) => TokenDialog),
  { onFailed },
)

type Kind = CredentialInput['kind']

/** Keys and tokens for programs: who created each, when it was last used, and a button to revoke it. */
export function CredentialsPage() {
  const t = useTranslations('credentials')
  const parts = useTranslations('settingsParts')
  const trpc = useTRPC()
  const list = useQuery(trpc.credentials.list.queryOptions())
  return (
    <SettingsPage title={parts('credentials')} lead={t('lead')}>
      <QueryState query={list} />
      {list.data && <Lists credentials={list.data} />}
    </SettingsPage>
  )
}

function Lists({ credentials: { keys, tokens, grantable } }: { credentials: Credentials }) {
  const t = useTranslations('credentials')
  const format = useFormatter()
  const trpc = useTRPC()
  const times = useTimes()
  const queryClient = useQueryClient()
  const readAgain = () => queryClient.invalidateQueries(trpc.credentials.pathFilter())
  const acts = useSettingsActs(readAgain)
  const revoking = useMutation(trpc.credentials.revoke.mutationOptions())
  const [making, setMaking] = useState<Kind>()
  const [issued, setIssued] = useState<IssuedSecret & { kind: Kind }>()

  function onIssued(kind: Kind, secret: IssuedSecret): void {
    setMaking(undefined)
    setIssued({ ...secret, kind })
    void readAgain()
  }

  /** Asks with the figures of now: the list may have been open for hours. */
  async function revoke(kind: Kind, { id, name, ...shown }: CredentialLine): Promise<void> {
    const list = { ...trpc.credentials.list.queryOptions(), staleTime: 0 }
    const { keys = [], tokens = [] } = (await queryClient.fetchQuery(list).catch(() => undefined)) ?? {}
    const credential = keys.find(({ keyId }) => keyId === id) ?? tokens.find(({ tokenId }) => tokenId === id) ?? shown
    const { lastUsedAt } = credential
    const sessions = ('sessions' in credential && credential.sessions) || 0
    acts.confirm(
      {
        title: t(`revokeTitle.${kind}`),
        // Two may have the same name.
        about: `${name} (${id})`,
        means: t(`revokeMeans.${kind}`, {
          used: lastUsedAt ? times.exact(lastUsedAt) : 'never',
          sessions,
          more: sessions === SESSIONS_COUNTED ? 'yes' : 'no',
        }),
        submit: t('revoke'),
      },
      () => revoking.mutateAsync({ kind, id }),
      { words: t('revoked', { name }) },
    )
  }

  return (
    <>
      <SettingsSection
        id="keys"
        title={t('keys.title')}
        acts={<Button onPress={() => setMaking('key')}>{t('keys.open')}</Button>}
      >
        <p className="mt-2 max-w-[68ch]">{t('keys.means')}</p>
        <CredentialList
          label={t('keys.title')}
          empty={t('keys.none')}
          rows={keys.map(({ keyId, allows, ...key }) => ({
            ...key,
            id: keyId,
            about: t('keys.allows', { what: format.list(allows.map((allow) => t(`allows.${allowOf(allow)}`))) }),
          }))}
          onRevoke={(key) => void revoke('key', key)}
        />
      </SettingsSection>
      <SettingsSection
        id="tokens"
        title={t('tokens.title')}
        acts={grantable.length > 0 && <Button onPress={() => setMaking('token')}>{t('tokens.open')}</Button>}
      >
        <p className="mt-2 max-w-[68ch]">{t('tokens.means')}</p>
        <CredentialList
          label={t('tokens.title')}
          empty={t('tokens.none')}
          rows={tokens.map(({ tokenId, name, roleName, expiresAt, hasExpired, ...token }) => ({
            ...token,
            id: tokenId,
            name: name ?? roleName,
            hasExpired,
            about: `${t('tokens.actsAs', { role: roleName })} ${t(hasExpired ? 'tokens.expired' : 'tokens.expires', { time: times.exact(expiresAt) })}`,
          }))}
          onRevoke={(token) => void revoke('token', token)}
        />
      </SettingsSection>
      {acts.toast}
      {making === 'key' && (
        <KeyDialog onClose={() => setMaking(undefined)} onIssued={(secret) => onIssued('key', secret)} />
      )}
      {making === 'token' && (
        <TokenDialog
          roles={grantable}
          onClose={() => setMaking(undefined)}
          onIssued={(secret) => onIssued('token', secret)}
        />
      )}
      {issued && (
        <LazySecretDialog
          title={t(`made.${issued.kind}`)}
          label={t(`made.${issued.kind}Label`)}
          secret={issued.secret}
          onClose={() => setIssued(undefined)}
        >
          {t(`made.${issued.kind}Means`)}
        </LazySecretDialog>
      )}
    </>
  )
}

/** Keys created by hand may have permissions that the desk has no labels for. */
function allowOf(allow: string): KeyAllows | 'other' {
  return LABELLED.find((known) => known === allow) ?? 'other'
}
const LABELLED: readonly KeyAllows[] = ['sessions', 'roles', 'server', 'signals']
