'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import {
  type CredentialInput,
  type Credentials,
  type IssuedSecret,
  type KeyAllows,
  SESSIONS_COUNTED,
} from '#server/modules/accounts/access/schema.ts'
import { Row } from '../rows.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { useSettingsActs } from '../use-settings-acts.tsx'
import { KeyDialog, TokenDialog } from './credential-dialogs.tsx'

type Kind = CredentialInput['kind']

/** Keys and tokens for programs: who created each, when it was last used, and a button to revoke it. */
export function CredentialsPage() {
  const t = useTranslations('credentials')
  const parts = useTranslations('settingsParts')
  const list = useQuery(useTRPC().credentials.list.queryOptions())
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

  function show(kind: Kind, { secret }: IssuedSecret): void {
    void readAgain()
    acts.open((close) => (
      <SecretDialog title={t(`made.${kind}`)} label={t(`made.${kind}Label`)} secret={secret} onClose={close}>
        {t(`made.${kind}Means`)}
      </SecretDialog>
    ))
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
      () => trpcClient.credentials.revoke.mutate({ kind, id }),
      { words: t('revoked', { name }) },
    )
  }

  const openKeyDialog = () =>
    acts.open((close) => <KeyDialog onClose={close} onIssued={(secret) => show('key', secret)} />)
  const openTokenDialog = () =>
    acts.open((close) => <TokenDialog roles={grantable} onClose={close} onIssued={(secret) => show('token', secret)} />)

  return (
    <>
      <SettingsSection
        id="keys"
        title={t('keys.title')}
        acts={<Button onPress={openKeyDialog}>{t('keys.open')}</Button>}
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
        acts={grantable.length > 0 && <Button onPress={openTokenDialog}>{t('tokens.open')}</Button>}
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
    </>
  )
}

/** Keys created by hand may have permissions that the desk has no labels for. */
function allowOf(allow: string): KeyAllows | 'other' {
  return LABELLED.find((known) => known === allow) ?? 'other'
}
const LABELLED: readonly KeyAllows[] = ['sessions', 'roles', 'server', 'signals']

interface CredentialLine {
  id: string
  name: string
  /** What it allows, or its expiry. */
  about: string
  createdAt: string
  madeBy?: { name: string }
  lastUsedAt?: string
  /** Those that it opened and that are in use. */
  sessions?: number
  revokedAt?: string
  hasExpired?: boolean
}

interface CredentialListProps {
  label: string
  empty: string
  rows: CredentialLine[]
  onRevoke: (row: CredentialLine) => void
}

/** Keys or tokens, newest first; those that have ended are included, without a revoke button. */
function CredentialList({ label, empty, rows, onRevoke }: CredentialListProps) {
  const t = useTranslations('credentials')
  if (rows.length === 0) return <p className="mt-2 text-ink-3">{empty}</p>
  return (
    <ul aria-label={label} className="mt-1">
      {rows.map((row) => {
        const hasEnded = row.revokedAt !== undefined || row.hasExpired === true
        return (
          <Row
            key={row.id}
            title={
              <span className="flex flex-wrap items-center gap-x-2">
                <bdi className={`font-firm wrap-anywhere ${hasEnded ? 'text-ink-3' : 'text-ink'}`}>{row.name}</bdi>
                {row.revokedAt && <Badge look="reject">{t('isRevoked')}</Badge>}
                {!row.revokedAt && row.hasExpired && <Badge>{t('isExpired')}</Badge>}
                <CopyId id={row.id} />
              </span>
            }
            about={<CredentialFacts row={row} />}
          >
            {!hasEnded && (
              <Button aria-label={t('revokeThis', { name: row.name, id: row.id })} onPress={() => onRevoke(row)}>
                {t('revoke')}
              </Button>
            )}
          </Row>
        )
      })}
    </ul>
  )
}

function CredentialFacts({ row: { about, createdAt, madeBy, lastUsedAt, revokedAt } }: { row: CredentialLine }) {
  const t = useTranslations('credentials')
  const times = useTimes()
  const time = times.exact(createdAt)
  return (
    <>
      {about} {madeBy ? t('madeBy', { time, name: madeBy.name }) : t('made.at', { time })}{' '}
      {lastUsedAt ? t('lastUsed', { time: times.exact(lastUsedAt) }) : t('neverUsed')}
      {revokedAt && ` ${t('revokedAt', { time: times.exact(revokedAt) })}`}
    </>
  )
}
