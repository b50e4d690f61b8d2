'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { CheckBoxes } from '#components/ui/check-box.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import type { Room, RoomFormat, RoomLanguage } from '#server/modules/integrations/notifications/rooms/schema.ts'
import type { Topic } from '#server/modules/integrations/notifications/schema.ts'
import { NameField, UrlField } from '../fields.tsx'
import { isAboutAddress } from '../services/use-services.tsx'
import { useWebhookErrorMessage } from '../webhooks/delivery-words.tsx'

const FORMATS = ['slack', 'discord'] as const satisfies RoomFormat[]
const LANGUAGES = ['en', 'de', 'ar'] as const satisfies RoomLanguage[]
const TOPICS: Topic[] = ['escalated', 'reports', 'overdue', 'rules', 'webhooks']

interface RoomDialogProps {
  /** The room to change; without it, one is added. */
  room: Room | undefined
  onClose: () => void
  onDone: () => void
}

/** Name, address, topics and scope of a chat room. A stored address stays unless another one is entered. */
export function RoomDialog({ room, onClose, onDone }: RoomDialogProps) {
  const t = useTranslations('rooms')
  const topicNames = useTranslations('notifications.topics')
  const webhookMessageOf = useWebhookErrorMessage()
  const [fields, setFields] = useState(() => startOf(room))
  const set = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed })
  const { name, address, format, topics, isNarrowed, community, reportsFrom, language } = fields

  async function send(): Promise<void> {
    if (isNarrowed && community.id === null) throw new Incomplete(t('chooseCommunity'))
    const sent = {
      ...{ name: name.trim(), format, topics, language, reportsFrom: Number(reportsFrom) },
      ...(isNarrowed && community.id !== null && { communityId: community.id }),
    }
    const url = address.trim()
    if (room) {
      const { roomId, version } = room
      await trpcClient.notifications.changeRoom.mutate({ ...sent, roomId, version, ...(url && { address: url }) })
    } else await trpcClient.notifications.addRoom.mutate({ ...sent, address: url })
    onDone()
  }

  /** Webhooks are the network's. */
  function narrow(isNarrowed: boolean): void {
    const left = topics.filter((topic) => !isNarrowed || topic !== 'webhooks')
    set({ isNarrowed, topics: left.length > 0 ? left : ['reports'] })
  }

  return (
    <FormDialog
      title={t(room ? 'changeTitle' : 'addTitle')}
      submit={t(room ? 'save' : 'addSubmit')}
      onSubmit={send}
      errorMessageOf={(error) => (isAboutAddress(error) ? undefined : webhookMessageOf(error))}
      onClose={onClose}
    >
      {(error) => (
        <>
          <NameField
            label={t('name')}
            hint={t('nameHint')}
            dir="auto"
            name={name}
            onChange={(name) => set({ name: name.slice(0, 80) })}
          />
          <Choices
            legend={t('format')}
            columns={2}
            choices={FORMATS.map((id) => ({ id, label: t(`formats.${id}`), hint: t(`formatHints.${id}`) }))}
            chosen={format}
            onChoose={(format) => set({ format })}
          />
          <UrlField
            label={t('address')}
            hint={t(room ? 'addressKept' : 'addressHint')}
            error={isAboutAddress(error) ? webhookMessageOf(error) : undefined}
            isOptional={room !== undefined}
            value={address}
            onChange={(address) => set({ address })}
          />
          <Choices
            legend={t('scope')}
            columns={2}
            choices={[
              { id: 'network', label: t('wholeNetwork') },
              { id: 'community', label: t('oneCommunity') },
            ]}
            chosen={isNarrowed ? 'community' : 'network'}
            onChoose={(id) => narrow(id === 'community')}
          />
          {isNarrowed && (
            <div>
              <FoundChip
                what="space"
                chosen={community.id}
                name={community.name}
                onChoose={(id, name) => set({ community: { id, name } })}
              />
            </div>
          )}
          <CheckBoxes
            legend={t('topics')}
            choices={TOPICS.filter((topic) => !isNarrowed || topic !== 'webhooks').map((id) => ({
              id,
              label: id === 'escalated' ? t('escalated') : topicNames(id),
            }))}
            chosen={topics}
            onChange={(topics) => set({ topics })}
          />
          {topics.includes('reports') && (
            <Field
              label={t('reportsFrom')}
              type="number"
              inputMode="numeric"
              isShort
              required
              min={1}
              max={1_000}
              value={reportsFrom}
              onChange={({ target }) => set({ reportsFrom: target.value })}
            />
          )}
          <Choices
            legend={t('language')}
            columns={3}
            choices={LANGUAGES.map((id) => ({ id, label: t(`languages.${id}`) }))}
            chosen={language}
            onChoose={(language) => set({ language })}
          />
        </>
      )}
    </FormDialog>
  )
}

interface RoomFields {
  name: string
  address: string
  format: RoomFormat
  topics: Topic[]
  isNarrowed: boolean
  community: { id: string | null; name?: string | undefined }
  reportsFrom: string
  language: RoomLanguage
}

function startOf(room: Room | undefined): RoomFields {
  const { name = '', format = 'slack', topics = ['escalated', 'reports', 'overdue'], community } = room ?? {}
  return {
    ...{ name, address: '', format, topics, language: room?.language ?? 'en' },
    isNarrowed: community !== undefined,
    community: { id: community?.communityId ?? null, name: community?.name },
    reportsFrom: String(room?.reportsFrom ?? 5),
  }
}
