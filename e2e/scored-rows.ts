import { expect, type Page } from '@playwright/test'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { asAdmin, ctxOf } from '#server/testing/ctx.ts'
import type { Desk } from './fixtures.ts'

export function score({ database }: Desk, id = '', value: number) {
  const signals = [{ type: 'comment', id, name: 'toxicity', score: value }]
  return recordSignals(ctxOf(database, asAdmin()), NewSignals.parse({ signals }))
}

/** Expects these texts in the first rows. */
export async function expectRows(page: Page, texts: (string | undefined)[]): Promise<void> {
  for (const [index, text] of texts.entries())
    await expect(page.getByRole('option').nth(index)).toContainText(text ?? 'nothing')
}
