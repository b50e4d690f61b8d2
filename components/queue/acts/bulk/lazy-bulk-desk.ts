'use client'
import { lazyPart } from '#components/ui/lazy-part.tsx'

export const BulkDesk = lazyPart(() => import('./bulk-desk.tsx').then(({ BulkDesk }) => BulkDesk))
