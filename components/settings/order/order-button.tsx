'use client'
import { type DataTag, useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowDownUp } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useAnnounce, useWarn } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'

/** A list while its order is changed. */
export const LazyOrderList = lazyPart(() => import('./order-list.tsx').then(({ OrderList }) => OrderList))

interface OrderButtonProps {
  labels: { start: string; done: string }
  isOrdering: boolean
  onChange: (isOrdering: boolean) => void
}

/** What moves items is loaded before the list changes, so that no list is missing for a moment. */
export function OrderButton({ labels, isOrdering, onChange }: OrderButtonProps) {
  const shell = useTranslations('shell')
  const warn = useWarn()
  const start = () =>
    LazyOrderList.preload().then(
      () => onChange(true),
      () => warn(shell('notLoaded')),
    )
  return (
    <Button onPress={() => (isOrdering ? onChange(false) : void start())}>
      <ArrowDownUp />
      {isOrdering ? labels.done : labels.start}
    </Button>
  )
}

interface Ordering<Item> {
  idOf: (item: Item) => string
  /** Saves the order, and answers with the list in it. */
  send: (ids: string[]) => Promise<Item[]>
  said: string
}

/** Changes the order of a list: it shows immediately, and reverts if it is rejected. */
export function useOrder<Item, Failure>(
  queryKey: DataTag<readonly unknown[], Item[], Failure>,
  { idOf, send, said }: Ordering<Item>,
) {
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const set = (items: Item[] | undefined) => queryClient.setQueryData<Item[]>(queryKey, items)
  const { mutate, error } = useMutation({
    mutationFn: send,
    onMutate: (ids: string[]) => {
      const before = queryClient.getQueryData<Item[]>(queryKey)
      set(ids.flatMap((id) => before?.find((item) => idOf(item) === id) ?? []))
      return { before }
    },
    onSuccess: set,
    onError: (_error, _ids, context) => {
      set(context?.before)
      void queryClient.invalidateQueries({ queryKey })
    },
  })
  return {
    order: (ids: string[]) => mutate(ids, { onSuccess: () => announce(said) }),
    failure: errorMessageOf(error),
  }
}
