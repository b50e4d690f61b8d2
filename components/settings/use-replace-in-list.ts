import { type DataTag, useQueryClient } from '@tanstack/react-query'

/**
 * Puts what an act answered into the list in place of what it changed: the next act is on this version, also before the list is read
 * again.
 */
export function useReplaceInList<Item extends object, Key extends readonly unknown[], Failure>(
  listKey: DataTag<Key, Item[], Failure>,
  id: keyof Item,
): (changed: Item) => void {
  const queryClient = useQueryClient()
  return (changed) => {
    queryClient.setQueryData<Item[]>(listKey, (all) => all?.map((one) => (one[id] === changed[id] ? changed : one)))
  }
}
