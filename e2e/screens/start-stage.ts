import { openDatabase } from '#server/core/database/open-database.ts'
import { withItems } from '#server/testing/with-items.ts'
import startDesk from '../start-desk.ts'
import { setStage } from './stage.ts'

/** Starts the program on its own database and fills that. */
export default async function startStage(): Promise<() => Promise<void>> {
  const stop = await startDesk()
  const database = openDatabase({ url: process.env.DESK_DATABASE_URL ?? '', connections: 2, onError: () => {} })
  try {
    process.env.DESK_CAST = JSON.stringify(await setStage(withItems(database)))
  } catch (error) {
    await stop()
    throw error
  } finally {
    await database.close()
  }
  return stop
}
