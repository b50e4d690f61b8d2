import { lazyPart } from '#components/ui/lazy-part.tsx'

export const LazyOrderList = lazyPart(() => import('./order-list.tsx').then(({ OrderList }) => OrderList))
