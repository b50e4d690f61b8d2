import { FailedDecisionBanners } from './acts/decisions/failed-decision-banners.tsx'
import { EditedBanner, EvidenceBanner } from './item/edited-banner.tsx'
import { FirstSteps } from './list/first-steps.tsx'
import { OtherTabToast } from './state/tabs/other-tab-toast.tsx'

/** What the desk says only now and then, in one script: each script of its own makes the page's first one longer. */
export const RARE_BANNERS = { EditedBanner, EvidenceBanner, FailedDecisionBanners, FirstSteps, OtherTabToast }
