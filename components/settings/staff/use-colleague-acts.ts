'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { GrantableRole, MadeLink, StaffFacts } from '#server/modules/accounts/staff/schema.ts'
import type { useSettingsActs } from '../use-settings-acts.tsx'

/** Acts on a colleague's account; those that can be undone offer it. */
export function useColleagueActs(
  { staffId, name, passkeys }: StaffFacts,
  { run, confirm }: Pick<ReturnType<typeof useSettingsActs>, 'run' | 'confirm'>,
  onLink: (link: MadeLink) => void,
) {
  const t = useTranslations('staff.done')
  const ask = useTranslations('staff.ask')
  const trpc = useTRPC()
  const go = useNavigate()
  const switching = useMutation(trpc.staff.switch.mutationOptions())
  const giving = useMutation(trpc.staff.giveRole.mutationOptions())
  const taking = useMutation(trpc.staff.takeRole.mutationOptions())
  const linking = useMutation(trpc.staff.makeLink.mutationOptions())
  const withdrawing = useMutation(trpc.staff.withdraw.mutationOptions())
  const ending = useMutation(trpc.staff.endSessions.mutationOptions())
  const resetting = useMutation(trpc.staff.resetSecondFactor.mutationOptions())
  const questionOf = (act: 'withdraw' | 'endSessions' | 'resetFactor', means: string) => ({
    title: ask(`${act}.title`),
    about: name,
    means,
    submit: ask(`${act}.submit`),
  })
  type Role = Pick<GrantableRole, 'roleId' | 'displayName'>

  return {
    makeLink: () => run(async () => onLink(await linking.mutateAsync({ staffId })), { words: t('linkMade', { name }) }),
    withdraw: () =>
      confirm(
        questionOf('withdraw', ask('withdraw.means')),
        async () => {
          await withdrawing.mutateAsync({ staffId })
          go('/settings/staff')
        },
        { words: t('withdrawn', { name }) },
      ),
    switchTo: (isOn: boolean) =>
      run(() => switching.mutateAsync({ staffId, isOn }), {
        words: t(isOn ? 'switchedOn' : 'switchedOff', { name }),
        undo: () => switching.mutateAsync({ staffId, isOn: !isOn }),
      }),
    giveRole: ({ roleId, displayName: role }: Role) =>
      run(() => giving.mutateAsync({ staffId, roleId }), {
        words: t('roleGiven', { name, role }),
        undo: () => taking.mutateAsync({ staffId, roleId }),
      }),
    takeRole: ({ roleId, displayName: role }: Role) =>
      run(() => taking.mutateAsync({ staffId, roleId }), {
        words: t('roleTaken', { name, role }),
        undo: () => giving.mutateAsync({ staffId, roleId }),
      }),
    endSessions: (sessionId: string | undefined, sessions: number) =>
      confirm(
        questionOf('endSessions', ask('endSessions.means', { sessions })),
        () => ending.mutateAsync({ staffId, ...(sessionId !== undefined && { sessionId }) }),
        {
          words: t(sessionId === undefined ? 'sessionsEnded' : 'sessionEnded', { name }),
        },
      ),
    resetSecondFactor: () =>
      confirm(
        questionOf('resetFactor', ask('resetFactor.means', { passkeys })),
        () => resetting.mutateAsync({ staffId }),
        {
          words: t('factorReset', { name }),
        },
      ),
  }
}
