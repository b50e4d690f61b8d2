import type { Me } from '#server/modules/accounts/access/schema.ts'

/** Where the desk starts: the queue for those who review, else the people, else the first section they may open. */
export function homePathOf({ reviews, opens }: Pick<Me, 'reviews' | 'opens'>): string {
  if (reviews) return '/queue'
  return `/${opens.includes('users') ? 'users' : (opens[0] ?? 'settings')}`
}
