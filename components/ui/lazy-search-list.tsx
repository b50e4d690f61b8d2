'use client'
import { lazyPart } from './lazy-part.tsx'

/** A search list for a popover that is part of a page. */
export const LazySearchList = lazyPart(() => import('./search-list.tsx').then(({ SearchList }) => SearchList))
