'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { FormError } from '#components/ui/form-error.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import type { CommunitySetting, DeskCommunity } from '#server/modules/desk/spaces/schema.ts'

/** The settings shown, in order of importance to moderators. */
const SETTINGS = [
  'needApprovalOnCommentCreation',
  'needApprovalOnPostCreation',
  'requiresJoinApproval',
  'onlyAdminCanPost',
  'allowCommentInStory',
  'isPublic',
  'isDiscoverable',
] as const satisfies CommunitySetting[]

/** What a community holds and who may join; read-only for people who may not change it. */
export function CommunitySettings({ desk: { community, changed, may } }: { desk: DeskCommunity }) {
  const t = useTranslations('communities')
  const times = useTimes()
  const { set, failure, last, undo, dismiss } = useSetting(community.communityId)
  return (
    <div className="max-w-180 px-[18px] py-4 phone:px-3">
      <p className="text-ink-3">
        {t(may.edit ? 'mayEdit' : 'mayNotEdit')}{' '}
        {changed
          ? t('changed', { who: changed.by ?? t('somebody'), time: times.exact(changed.at) })
          : t('neverChanged')}
      </p>
      {failure && (
        <div className="mt-3">
          <FormError id="setting-failure">{failure}</FormError>
        </div>
      )}
      {SETTINGS.map((setting) =>
        may.edit ? (
          <SwitchRow
            key={setting}
            label={t(`settings.${setting}.name`)}
            about={t(`settings.${setting}.means`, { isOn: String(community[setting]) })}
            isOn={community[setting]}
            onChange={(isOn) => void set(setting, isOn)}
          />
        ) : (
          <p key={setting} className="mt-3">
            <span className="block font-firm text-ink">{t(`settings.${setting}.name`)}</span>
            {t(`settings.${setting}.means`, { isOn: String(community[setting]) })}
          </p>
        ),
      )}
      <div className="sticky bottom-0 mx-auto w-full max-w-115 p-2">
        <ActToast last={last} onUndo={undo} onDismiss={dismiss} />
      </div>
    </div>
  )
}

/** Updates the page immediately, and reverts on failure. */
function useSetting(communityId: string) {
  const t = useTranslations('communities')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const errorMessageOf = useErrorMessage()
  const { last, done, undo, dismiss } = useLastAct()
  const { queryKey } = trpc.communities.read.queryOptions({ communityId })
  const setting = useMutation(
    trpc.communities.set.mutationOptions({
      onMutate: async ({ setting, isOn }) => {
        await queryClient.cancelQueries({ queryKey })
        const before = queryClient.getQueryData(queryKey)
        queryClient.setQueryData(
          queryKey,
          (desk) => desk && { ...desk, community: { ...desk.community, [setting]: isOn } },
        )
        return { before }
      },
      onError: (_error, _input, kept) => queryClient.setQueryData(queryKey, kept?.before),
      onSettled: () =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey }),
          queryClient.invalidateQueries(trpc.review.counts.pathFilter()),
        ]),
    }),
  )
  useActs(last?.undo ? { takeBack: () => undo(last) } : {})

  async function set(which: CommunitySetting, isOn: boolean): Promise<void> {
    try {
      await setting.mutateAsync({ communityId, setting: which, isOn })
    } catch {
      return
    }
    done({
      words: t('set', { what: t(`settings.${which}.name`), isOn: String(isOn) }),
      undo: () => setting.mutateAsync({ communityId, setting: which, isOn: !isOn }),
    })
  }
  return { set, failure: errorMessageOf(setting.error), last, undo, dismiss }
}
