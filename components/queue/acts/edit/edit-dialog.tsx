'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Sheet } from '#components/ui/sheet.tsx'
import { TextBox } from '#components/ui/text-box.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { itemOptions } from '../../state/queue-queries.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'

/** As long as a text may be (docs/interface/conventions.md#message-content). */
const TEXT_LENGTH = 20_000

/** Changes the text of a pending item before it is decided on, and approves it, or leaves it pending. */
export function EditDialog(props: ActDialogProps) {
  const { item, onClose } = props
  const t = useTranslations('edit')
  const { view } = useQueueFilter().search
  const read = useQuery(itemOptions(useTRPC(), item, view))
  if (read.data?.mayEdit) return <EditForm {...props} read={read.data} />
  return (
    <Sheet
      title={t('title', { author: item.author.displayName })}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <div className="min-h-24 px-3.5 pt-2 pb-3.5">
        {read.data ? <p>{t('notAllowed')}</p> : <QueryState query={read} />}
      </div>
    </Sheet>
  )
}

function EditForm({ item, read, typed, onClose }: ActDialogProps & { read: ReviewItem }) {
  const t = useTranslations('edit')
  const cache = useQueueCache()
  const errorMessageOf = useErrorMessage()
  const { done, leave, wrote, input, decisions } = useDeskActs()
  const editing = useMutation(useTRPC().review.edit.mutationOptions())
  const { version } = read.item
  const before = { title: read.title ?? '', text: read.text }
  const { fields, write, forget } = useDraftFields(`edit ${itemIdOf(item)} ${version}`, before)
  const isSame = fields.title === before.title && fields.text === before.text
  const { author, claim } = item

  async function edit(): Promise<number> {
    const { subjectType, subjectId } = item
    if (subjectType !== 'comment' && subjectType !== 'post') throw new Error('only comments and posts are held')
    const edited = await editing.mutateAsync({
      ...{ subjectType, subjectId, version },
      ...(fields.title !== before.title && { title: fields.title }),
      ...(fields.text !== before.text && { text: fields.text }),
      ...(claim && { despiteClaimOf: claim.by.userId }),
    })
    forget()
    onClose()
    return edited.version
  }

  async function save(): Promise<void> {
    wrote(await edit())
    await cache.readItemAgain(input, item)
    done({ words: t('saved', { author: author.displayName }) })
  }

  async function approve(): Promise<void> {
    const decided = { ...item, ...fields, isCut: false, version: await edit() }
    cache.expire(item)
    if (decisions.decide(decided, 'approved', input)) leave([item])
  }

  const failed = (error: unknown) =>
    error !== null && toRequestError(error).code === 'UNPROCESSABLE_CONTENT' ? t('refused') : errorMessageOf(error)
  const run = (act: () => Promise<void>) => () => {
    if (!isSame) void act().catch(() => undefined)
  }

  return (
    <ActForm
      title={t('title', { author: author.displayName })}
      submit={t('approve')}
      look="approve"
      isWritten
      typed={typed}
      isPending={editing.isPending}
      failure={failed(editing.error)}
      onSubmit={run(approve)}
      onClose={onClose}
      acts={
        <Button isDisabled={isSame || editing.isPending} onPress={run(save)}>
          {t('save')}
        </Button>
      }
    >
      {read.title !== undefined && (
        <TextBox
          label={t('itsTitle')}
          value={fields.title}
          onChange={(title) => write({ title })}
          maxLength={TEXT_LENGTH}
          rows={1}
        />
      )}
      <TextBox
        label={t('text')}
        hint={isSame ? t('same') : t('means')}
        value={fields.text}
        onChange={(text) => write({ text })}
        maxLength={TEXT_LENGTH}
        rows={8}
        autoFocus
      />
    </ActForm>
  )
}
