'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useWellness } from '#components/kit/wellness/use-wellness.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import { itemOptions } from '../../state/queue-queries.ts'
import { useDeskActs } from '../desk-acts.ts'

interface ReverseButtonProps {
  subject: Subject
  author: string
  /** Its first words, where there are several of an author. */
  excerpt?: string
}

/** Opens the dialog that turns an approval into a rejection of the content shown there. */
export function ReverseButton({ subject, author, excerpt }: ReverseButtonProps) {
  const t = useTranslations('reversal')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { open } = useDeskActs()
  const isCovered = useWellness().coversText({ isFlagged: false })

  async function read() {
    return (await queryClient.fetchQuery({ ...itemOptions(trpc, subject, undefined), staleTime: 0 })).item
  }
  return (
    <Button look="bare" size="small" className="px-1.5! text-small" onPress={() => open('reverse', read())}>
      {t('open')}{' '}
      <span className="sr-only">
        {excerpt && !isCovered ? t('openOfText', { text: excerpt }) : t('openOf', { author })}
      </span>
    </Button>
  )
}
