'use client'
import { type ComponentProps, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { afterPaint } from '#components/ui/after-paint.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { NextFrame } from '#components/ui/next-frame.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { AlikeLine } from './acts/alike/alike-line.tsx'
import { BulkDesk } from './acts/bulk/lazy-bulk-desk.ts'
import type { Decisions } from './acts/decisions/use-decisions.ts'
import { DeskActsProvider } from './acts/desk-acts.ts'
import { UnsentBanner } from './acts/outbox/unsent-banner.tsx'
import { ContextPane } from './item/context-pane.tsx'
import { ItemPane } from './item/item-pane.tsx'
import { QueueList } from './list/queue-list.tsx'
import type { Decision } from './state/store/queue-state.ts'
import { failed, waiting } from './state/store/select-queue.ts'
import type { Edited } from './state/use-edited.ts'
import type { Item } from './state/use-item.ts'
import { useIsPhone } from './state/window-size.ts'
import { useReviewDesk } from './use-review-desk.ts'
import { FilterBar } from './views/filter/filter-bar.tsx'
import { useTotals } from './views/use-totals.ts'

const PLAIN = { isPlain: true }

const KeySheet = lazyPart(() => import('./key-sheet.tsx').then(({ KeySheet }) => KeySheet), {
  onFailed: ({ onOpenChange }) => onOpenChange(false),
})

// Before the first act or decision there is nothing to undo.
const ActToast = lazyPart(() => import('#components/kit/acts/act-toast.tsx').then(({ ActToast }) => ActToast), PLAIN)
const DecisionToast = lazyPart(
  () => import('./acts/decisions/decision-toast.tsx').then(({ DecisionToast }) => DecisionToast),
  PLAIN,
)
const rareBanners = () => import('./rare-banners.ts').then(({ RARE_BANNERS }) => RARE_BANNERS)
const FailedDecisionBanners = lazyPart(() => rareBanners().then((banners) => banners.FailedDecisionBanners), PLAIN)
const OtherTabToast = lazyPart(() => rareBanners().then((banners) => banners.OtherTabToast))
const FirstSteps = lazyPart(() => rareBanners().then((banners) => banners.FirstSteps), PLAIN)
const EditedBanner = lazyPart(() => rareBanners().then((banners) => banners.EditedBanner), PLAIN)
const EvidenceBanner = lazyPart(() => rareBanners().then((banners) => banners.EvidenceBanner), PLAIN)
const BulkBar = lazyPart(() => import('./acts/bulk/bulk-bar.tsx').then(({ BulkBar }) => BulkBar))

const USED = ['pointermove', 'keydown', 'touchstart'] as const

/** Once the person uses the page, so that they are there also if the connection is lost before the first decision. */
function loadToastsOnUse(): () => void {
  const isWaiting = new AbortController()
  const load = async () => {
    isWaiting.abort()
    await afterPaint()
    await Promise.all([ActToast.preload(), DecisionToast.preload()]).catch(() => undefined)
  }
  for (const used of USED) window.addEventListener(used, load, { signal: isWaiting.signal, passive: true })
  return () => isWaiting.abort()
}

/** Whether there are banners about decisions, over the item. */
const isTroubled = (decisions: Decision[]) => waiting(decisions).length + failed(decisions).length > 0

interface ItemBannersProps {
  /** The item, if it may stand for a group. */
  group: QueueItem | undefined
  item: Item
  edited: Edited
  decisions: Decisions
  onOpenGroup: () => void
  onShow: (itemId: string) => void
}

/** What is unusual about the item, and about decisions of this page. */
function ItemBanners({ group, item: { shown, read }, edited, decisions, onOpenGroup, onShow }: ItemBannersProps) {
  return (
    <>
      <AlikeLine item={group} onOpen={onOpenGroup} />
      {edited.before && <EditedBanner before={edited.before} by={read?.editedBy} />}
      {shown && (shown.isWithdrawn || read?.asReported || (read?.earlier ?? 0) > 0) && (
        <EvidenceBanner item={shown} read={read} />
      )}
      <UnsentBanner decisions={decisions} />
      {failed(decisions.decisions).length > 0 && <FailedDecisionBanners decisions={decisions} onShow={onShow} />}
    </>
  )
}

/** The first steps, for those who haven't seen them: they are all keys. */
function NewHere(props: ComponentProps<typeof FirstSteps>) {
  const { areFirstStepsDone, areSingleKeysOff } = usePreferences().preferences
  return areFirstStepsDone || areSingleKeysOff ? null : <FirstSteps {...props} />
}

/** List, item and context; an empty list alone; on a phone, the list is one page and the item with its context another. */
export function ReviewDesk({ userId }: { userId: string }) {
  const t = useTranslations('queue')
  const { decisions, queue, selection, item, acts, bulk, filterEditing, ...desk } = useReviewDesk(userId)
  const { choosing } = bulk
  const totals = useTotals()
  const keysCombo = useCombo('keys')
  const isPhone = useIsPhone()
  const [itemToasts, setItemToasts] = useState<HTMLElement | null>(null)
  const before = queue.before[selection.index]
  const position = before === undefined ? undefined : before + 1
  const { list, rows } = queue
  const isEmpty =
    list.isSuccess && rows.length === 0 && !list.hasNextPage && !selection.currentId && !isTroubled(decisions.decisions)

  useEffect(loadToastsOnUse, [])

  const renderToasts = (place: 'list' | 'item') => (
    <>
      {acts.last && (
        <ActToast last={acts.last} hasKey={!bulk.keyedId} onUndo={acts.undoAct} onDismiss={acts.dismissAct} />
      )}
      {decisions.decisions.length > 0 && (
        <DecisionToast
          place={place}
          decisions={decisions}
          hasKey={!bulk.keyedId && !acts.last?.undo}
          asked={acts.asked}
          onInWords={acts.inWords}
          onTakenBack={selection.moveTo}
        />
      )}
      {desk.tabs.latest && (
        <OtherTabToast
          key={`${desk.tabs.latest.type} ${desk.tabs.latest.itemId}`}
          note={desk.tabs.latest}
          onUndo={desk.tabs.undo}
          onDismiss={desk.tabs.dismiss}
        />
      )}
    </>
  )

  return (
    <DeskActsProvider value={acts.deskActs}>
      <main
        data-open={selection.isOpen || undefined}
        data-context={desk.context.isOpen || undefined}
        data-empty={isEmpty || undefined}
        data-choosing={choosing.isChoosing || undefined}
        className="group/desk flex min-h-0 min-w-0 flex-col bg-surface"
      >
        <FilterBar totals={totals} narrowedTo={queue.narrowedTo} editing={filterEditing} />
        <div className="print:block! group-data-empty/desk:grid-cols-[minmax(0,1fr)]! relative grid min-h-0 flex-1 grid-cols-[var(--list)_minmax(0,1fr)_var(--context)] tablet:grid-cols-[clamp(240px,36vw,340px)_minmax(0,1fr)] tablet:grid-rows-[minmax(0,1fr)_auto] phone:group-data-open/desk:flex phone:group-data-open/desk:flex-col phone:group-data-open/desk:overflow-auto phone:grid-cols-[minmax(0,1fr)]">
          <QueueList
            queue={queue}
            selection={selection}
            totals={totals}
            choosing={choosing}
            onKey={desk.press}
            toasts={
              <>
                <div className="grid gap-2 p-2 empty:hidden">
                  <NewHere decided={decisions.decisions.length} areKeysShown={desk.areKeysShown} />
                  {bulk.isShown && <BulkDesk {...bulk.desk} toastsIn={selection.isOpen ? itemToasts : null} />}
                  <NextFrame>{renderToasts('list')}</NextFrame>
                </div>
                {choosing.isChoosing && <BulkBar choosing={choosing} onDecide={bulk.open} />}
              </>
            }
          />
          <ItemPane
            item={item}
            selection={selection}
            position={position}
            matching={totals?.matching}
            isOwnWork={item.shown?.author.userId === userId}
            isMine={item.shown?.claim?.by.userId === userId}
            onMove={desk.move}
            context={desk.context}
            onDecide={desk.decide}
            onAct={desk.act}
            onOpenWave={choosing.isOffered ? bulk.showWave : undefined}
            toasts={
              isPhone && (
                <div className="m-2 mb-0 grid gap-2 phone-tiny:m-1">
                  <div ref={setItemToasts} className="contents" />
                  {renderToasts('item')}
                </div>
              )
            }
            banners={
              <ItemBanners
                group={item.decided ? undefined : selection.current}
                item={item}
                edited={desk.edited}
                decisions={decisions}
                onOpenGroup={bulk.showAlike}
                onShow={selection.open}
              />
            }
          />
          <ContextPane item={item} />
        </div>
        {acts.dialog}
        {desk.areKeysShown && <KeySheet isOpen onOpenChange={desk.setKeysShown} />}
        <p id="queue-keys" className="sr-only">
          {t('keysHint', { key: keysCombo === '?' ? 'question' : (keysCombo ?? 'none') })}
        </p>
      </main>
    </DeskActsProvider>
  )
}
