'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import type { Room, RoomProblem } from '#server/modules/integrations/notifications/rooms/schema.ts'
import { Facts } from '../rows.tsx'
import { SettingsSection } from '../settings-page.tsx'
import { type SettingsActs, useSettingsActs } from '../use-settings-acts.tsx'
import { RoomDialog } from './room-dialog.tsx'

/** The chat rooms that notifications are posted to. */
export function RoomsSection() {
  const t = useTranslations('rooms')
  const { notifications } = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(notifications.rooms.queryOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(notifications.rooms.queryFilter()))
  const edit = (room?: Room) =>
    acts.open((close) => (
      <RoomDialog
        room={room}
        onClose={close}
        onDone={() => {
          close()
          acts.done({ words: t(room ? 'changed' : 'added') })
        }}
      />
    ))
  const add = <Button onPress={() => edit()}>{t('add')}</Button>
  const rooms = query.data ?? []

  return (
    <SettingsSection id="rooms" title={t('title')} acts={rooms.length > 0 && add}>
      <p className="mt-1">{t('lead')}</p>
      <QueryState query={query} />
      {query.data && rooms.length === 0 && (
        <EmptyState isInSection icon={<MessagesSquare />} title={t('none')} act={add}>
          {t('noneText')}
        </EmptyState>
      )}
      <ul aria-label={t('title')}>
        {rooms.map((room) => (
          <li key={room.roomId} className="border-b border-line py-3">
            <RoomEntry room={room} acts={acts} onEdit={() => edit(room)} />
          </li>
        ))}
      </ul>
      {acts.toast}
    </SettingsSection>
  )
}

interface RoomEntryProps {
  room: Room
  acts: SettingsActs
  onEdit: () => void
}

function RoomEntry({ room, acts, onEdit }: RoomEntryProps) {
  const t = useTranslations('rooms')
  const topicNames = useTranslations('notifications.topics')
  const format = useFormatter()
  const times = useTimes()
  const problemOf = useRoomProblem()
  const { roomId, version, name, host, topics, community, reportsFrom, lastSentAt, lastFailure, waiting } = room
  const remove = () =>
    acts.confirm(
      { title: t('removeTitle'), about: name, means: t('removeMeans', { waiting }), submit: t('removeSubmit') },
      () => trpcClient.notifications.removeRoom.mutate({ roomId, version }),
      { words: t('removed') },
    )
  function nameOf(topic: Room['topics'][number]): string {
    if (topic === 'reports') return t('reports', { count: reportsFrom })
    return topic === 'escalated' ? t('escalated') : topicNames(topic)
  }

  return (
    <>
      <h3 className="font-bold text-ink">
        <bdi className="wrap-anywhere">{name}</bdi>
      </h3>
      <Facts
        facts={[
          [t('address'), <bdi key="host">{t('shown', { format: room.format, host })}</bdi>],
          [t('topics'), format.list(topics.map(nameOf), { type: 'unit' })],
          [t('scope'), community ? <bdi key="community">{community.name}</bdi> : t('wholeNetwork')],
          [t('lastSent'), lastSentAt && times.exact(lastSentAt)],
          [
            t('lastFailure'),
            lastFailure && (
              <span key="failure" className="text-reject">
                {t('failure', { problem: problemOf(lastFailure), time: times.exact(lastFailure.at) })}
              </span>
            ),
          ],
          [t('waitingName'), waiting > 0 && t('waiting', { count: waiting })],
        ]}
      />
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <SendTest room={room} />
        <Button aria-label={t('editNamed', { name })} onPress={onEdit}>
          {t('edit')}
        </Button>
        <Button aria-label={t('removeNamed', { name })} onPress={remove}>
          {t('remove')}
        </Button>
      </div>
    </>
  )
}

function SendTest({ room: { roomId, name } }: { room: Room }) {
  const t = useTranslations('rooms')
  const problemOf = useRoomProblem()
  const errorMessageOf = useErrorMessage()
  const testing = useMutation(useTRPC().notifications.testRoom.mutationOptions())
  const { data, error, isPending } = testing
  const { problem } = data ?? {}
  return (
    <>
      <Button aria-label={t('testNamed', { name })} isPending={isPending} onPress={() => testing.mutate({ roomId })}>
        {t(isPending ? 'testing' : 'test')}
      </Button>
      <span role="status" className={problem || error ? 'text-reject' : undefined}>
        {errorMessageOf(error)}
        {data && (problem ? problemOf({ ...data, problem }) : t('tested', { ms: data.durationMs }))}
      </span>
    </>
  )
}

/** Why something wasn't posted, in words. */
function useRoomProblem(): (failure: { problem: RoomProblem; status?: number | undefined }) => string {
  const t = useTranslations('rooms')
  const problems = useTranslations('webhooks.problems')
  return ({ problem, status = 0 }) =>
    problem === 'secret' ? t('unreadable') : problems(problem, { status: String(status) })
}
