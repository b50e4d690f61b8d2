'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { GrantableRole, StaffFacts } from '#server/modules/accounts/staff/schema.ts'
import { Row } from '../rows.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { SessionsList } from './sessions-list.tsx'
import { StaffState } from './staff-state.tsx'

/** A colleague's account: its roles, sign-in methods and sessions. */
export function ColleaguePage({ staffId }: { staffId: string }) {
  const parts = useTranslations('settingsParts')
  const read = useQuery(useTRPC().staff.read.queryOptions({ staffId }))
  if (read.data) return <Colleague colleague={read.data} />
  return (
    <SettingsPage title={parts('staff')}>
      <QueryState query={read} />
    </SettingsPage>
  )
}

function Colleague({ colleague }: { colleague: StaffFacts }) {
  const t = useTranslations('staff')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const settingsActs = useSettingsActs(() => queryClient.invalidateQueries(trpc.staff.pathFilter()))
  const acts = useColleagueActs(colleague, settingsActs)
  const { name, email, state, userId, isSelf, mayChange } = colleague
  const purpose = state === 'invited' ? 'invitation' : 'password'

  return (
    <SettingsPage
      title={
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="wrap-anywhere">{name}</bdi>
          {state !== 'active' && <StaffState state={state} />}
        </span>
      }
      lead={
        <>
          <Link href="/settings/staff">{t('back')}</Link> · <bdi>{email}</bdi> ·{' '}
          <Link href={toUserPath(userId)}>{t('profile')}</Link>
        </>
      }
      acts={
        mayChange && (
          <>
            {state !== 'off' && <Button onPress={acts.makeLink}>{t(`link.${purpose}.make`)}</Button>}
            {state === 'invited' && <Button onPress={acts.withdraw}>{t('withdraw')}</Button>}
            {state !== 'invited' && (
              <Button onPress={() => acts.switchTo(state === 'off')}>
                {t(state === 'off' ? 'switchOn' : 'switchOff')}
              </Button>
            )}
          </>
        )
      }
    >
      {!mayChange && <p className="mt-3 text-ink-3">{t(isSelf ? 'isSelf' : 'isAbove')}</p>}
      <RolesSection colleague={colleague} acts={acts} />
      <FactorsSection colleague={colleague} acts={acts} />
      {mayChange && <SessionsSection colleague={colleague} acts={acts} />}
      {settingsActs.toast}
    </SettingsPage>
  )
}

interface SectionProps {
  colleague: StaffFacts
  acts: ReturnType<typeof useColleagueActs>
}

/** Network roles are granted and removed here; roles of a community or channel, in that space. */
function RolesSection({ colleague: { roles, mayChange }, acts }: SectionProps) {
  const t = useTranslations('staff')
  const scopes = useTranslations('roles.scopes')
  const { data: list } = useQuery(useTRPC().staff.list.queryOptions())
  const grantable = (list?.grantable ?? []).filter(
    ({ roleId, scope }) => scope === 'network' && !roles.some((held) => held.roleId === roleId),
  )
  return (
    <SettingsSection
      id="roles"
      title={t('roles')}
      acts={
        mayChange &&
        grantable.length > 0 && (
          <ChoiceMenu
            label={t('giveRole')}
            choices={grantable.map(({ roleId, displayName }) => ({ id: roleId, label: displayName }))}
            chosen=""
            onChoose={(roleId) => {
              const role = grantable.find((one) => one.roleId === roleId)
              if (role) acts.giveRole(role)
            }}
          >
            <Button>
              {t('giveRole')}
              <ChevronDown />
            </Button>
          </ChoiceMenu>
        )
      }
    >
      {roles.length === 0 && <p className="mt-2 text-ink-3">{t('noRole')}</p>}
      <ul className="mt-1">
        {roles.map((role) => (
          <Row
            key={role.roleId}
            title={role.displayName}
            about={role.scope === 'network' ? scopes('network') : t(`spaces.${role.scope}`, { spaces: role.spaces })}
          >
            {mayChange && role.scope === 'network' && (
              <Button aria-label={t('takeThis', { role: role.displayName })} onPress={() => acts.takeRole(role)}>
                {t('takeRole')}
              </Button>
            )}
          </Row>
        ))}
      </ul>
      {mayChange && <p className="mt-2 text-small text-ink-3">{t('rolesElsewhere')}</p>}
    </SettingsSection>
  )
}

function FactorsSection({ colleague: { hasSecondFactor, passkeys, mayChange }, acts }: SectionProps) {
  const t = useTranslations('staff')
  return (
    <SettingsSection
      id="second-factor"
      title={t('secondFactor')}
      acts={
        mayChange &&
        (hasSecondFactor || passkeys > 0) && <Button onPress={acts.resetSecondFactor}>{t('resetFactor')}</Button>
      }
    >
      <p className="mt-2">{t('factors', { hasCodes: String(hasSecondFactor), passkeys })}</p>
    </SettingsSection>
  )
}

function SessionsSection({ colleague: { staffId, lastSeenAt }, acts }: SectionProps) {
  const t = useTranslations('staff')
  const times = useTimes()
  const sessions = useQuery(useTRPC().staff.sessions.queryOptions({ staffId }))
  return (
    <SettingsSection
      id="sessions"
      title={t('sessions.title')}
      acts={
        sessions.data &&
        sessions.data.length > 0 && (
          <Button onPress={() => acts.endSessions(undefined, sessions.data.length)}>{t('sessions.endAll')}</Button>
        )
      }
    >
      {lastSeenAt && <p className="mt-2">{t('seenLast', { time: times.exact(lastSeenAt) })}</p>}
      {sessions.isError && <ErrorState list={sessions} />}
      {sessions.data && (
        <SessionsList sessions={sessions.data} onEnd={({ sessionId }) => acts.endSessions(sessionId, 1)} />
      )}
    </SettingsSection>
  )
}

/** Acts on a colleague's account; those that can be undone offer it. */
function useColleagueActs({ staffId, name, passkeys, state }: StaffFacts, { run, confirm, open }: SettingsActs) {
  const t = useTranslations('staff.done')
  const ask = useTranslations('staff.ask')
  const go = useNavigate()
  const { staff } = trpcClient
  const questionOf = (act: 'withdraw' | 'endSessions' | 'resetFactor', means: string) => ({
    title: ask(`${act}.title`),
    about: name,
    means,
    submit: ask(`${act}.submit`),
  })
  type Role = Pick<GrantableRole, 'roleId' | 'displayName'>
  const purpose = state === 'invited' ? 'invitation' : 'password'

  return {
    makeLink: () =>
      run(
        async () => {
          const link = await staff.makeLink.mutate({ staffId })
          open((close) => <LinkDialog link={link} purpose={purpose} onClose={close} />)
        },
        { words: t('linkMade', { name }) },
      ),
    withdraw: () =>
      confirm(
        questionOf('withdraw', ask('withdraw.means')),
        async () => {
          await staff.withdraw.mutate({ staffId })
          go('/settings/staff')
        },
        { words: t('withdrawn', { name }) },
      ),
    switchTo: (isOn: boolean) =>
      run(() => staff.switch.mutate({ staffId, isOn }), {
        words: t(isOn ? 'switchedOn' : 'switchedOff', { name }),
        undo: () => staff.switch.mutate({ staffId, isOn: !isOn }),
      }),
    giveRole: ({ roleId, displayName: role }: Role) =>
      run(() => staff.giveRole.mutate({ staffId, roleId }), {
        words: t('roleGiven', { name, role }),
        undo: () => staff.takeRole.mutate({ staffId, roleId }),
      }),
    takeRole: ({ roleId, displayName: role }: Role) =>
      run(() => staff.takeRole.mutate({ staffId, roleId }), {
        words: t('roleTaken', { name, role }),
        undo: () => staff.giveRole.mutate({ staffId, roleId }),
      }),
    endSessions: (sessionId: string | undefined, sessions: number) =>
      confirm(
        questionOf('endSessions', ask('endSessions.means', { sessions })),
        () => staff.endSessions.mutate({ staffId, ...(sessionId !== undefined && { sessionId }) }),
        { words: t(sessionId === undefined ? 'sessionsEnded' : 'sessionEnded', { name }) },
      ),
    resetSecondFactor: () =>
      confirm(
        questionOf('resetFactor', ask('resetFactor.means', { passkeys })),
        () => staff.resetSecondFactor.mutate({ staffId }),
        { words: t('factorReset', { name }) },
      ),
  }
}
