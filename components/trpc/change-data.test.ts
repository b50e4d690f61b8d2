import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { changeData } from './change-data.ts'

interface Pages {
  pages: string[][]
}

const queryKey = ['list']
const without =
  (word: string) =>
  (list: Pages): Pages => ({ ...list, pages: list.pages.map((page) => page.filter((each) => each !== word)) })

/** A list of two pages of which the first is loaded; the test resolves each further page. */
async function readFirstPage() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let answer: { resolve: (page: string[]) => void; reject: (error: Error) => void } | undefined
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey,
    queryFn: ({ pageParam }) => {
      if (pageParam === 0) return Promise.resolve(['first', 'second'])
      return new Promise<string[]>((resolve, reject) => {
        answer = { resolve, reject }
      })
    },
    initialPageParam: 0,
    getNextPageParam: (_page, pages) => pages.length,
    staleTime: Number.POSITIVE_INFINITY,
  })
  observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true)
  return {
    queryClient,
    observer,
    pages: () => queryClient.getQueryData<Pages>(queryKey)?.pages,
    async answering(act: (how: NonNullable<typeof answer>) => void): Promise<void> {
      await expect.poll(() => answer).toBeDefined()
      if (answer) act(answer)
    },
  }
}

test('a page still loading does not bring back removed items', async () => {
  const { queryClient, observer, pages, answering } = await readFirstPage()
  const further = observer.fetchNextPage()
  changeData(queryClient, { queryKey }, without('second'))
  expect(pages()).toEqual([['first']])
  await answering(({ resolve }) => resolve(['third']))
  await further
  expect(pages()).toEqual([['first'], ['third']])
})

test('a failed or cancelled page does not bring back removed items', async () => {
  const { queryClient, observer, pages, answering } = await readFirstPage()
  const failing = observer.fetchNextPage()
  changeData(queryClient, { queryKey }, without('second'))
  await answering(({ reject }) => reject(new Error('Not today')))
  await failing
  expect(pages()).toEqual([['first']])

  void observer.fetchNextPage()
  changeData(queryClient, { queryKey }, without('first'))
  await queryClient.cancelQueries({ queryKey })
  expect(pages()).toEqual([[]])
})

test('keeps the same objects for loaded items', async () => {
  const { queryClient } = await readFirstPage()
  const before = queryClient.getQueryData(queryKey)
  changeData<Pages>(queryClient, { queryKey }, (list) => list)
  expect(queryClient.getQueryData(queryKey)).toBe(before)
})
