import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { openDatabase } from '#server/core/database/open-database.ts'
import { judgeImported } from '#server/modules/content/imported/judge-imported.ts'
import { numberPending } from '#server/modules/content/messages/number-messages.ts'
import { loadFiles } from '#server/modules/integrations/imports/load-files.ts'
import { digestOf, keptDatabase, MIGRATIONS } from './bench-database.ts'
import { ctxOf } from './bench-people.ts'

type Say = (line: string) => void

/** The busiest community of the imported data. */
export const COMMUNITY = 'talk-history'
export const CHANNEL = 'ubuntu'
/** Moderates both. */
export const MODERATOR = 'bench-moderator'

const FILES = ['wikitalk.ndjson.gz', 'ubuntu-irc.ndjson.gz']

/** What a worker does with imported content afterwards, in batches: beside requests, it would take its share of their first minutes. */
const AFTERWARDS = [numberPending, judgeImported]

/** The scenario lacks something that its caller has to provide, so it is skipped. */
export class NotGiven extends Error {
  readonly scenario: string

  constructor(scenario: string, message: string) {
    super(message)
    this.scenario = scenario
  }
}

/** The database with both files of the folder DOCKET_DATA: from an earlier run, or a new one. */
export async function importedDatabase(serverUrl: string, scenario: string, say: Say): Promise<string> {
  const files = await dataFiles(scenario)
  return keptDatabase(serverUrl, {
    name: 'docket_bench_imported',
    madeBy: await digestOf([MIGRATIONS, 'bench/data/imported-database.ts', ...files]),
    fill: async (pool, url) => {
      await importFiles(url, files)
      await addModerator(pool)
    },
    say,
  })
}

async function dataFiles(scenario: string): Promise<string[]> {
  const folder = process.env.DOCKET_DATA
  if (!folder) throw new NotGiven(scenario, `DOCKET_DATA must name the folder with ${FILES.join(' and ')}`)
  const files = FILES.map((name) => resolve(join(folder, name)))
  for (const file of files)
    await stat(file).catch(() => {
      throw new NotGiven(scenario, `DOCKET_DATA: there is no ${file}`)
    })
  return files
}

async function importFiles(url: string, files: string[]): Promise<void> {
  const database = openDatabase({ url, connections: 2, onError: () => {} })
  try {
    const ctx = ctxOf(database, { kind: 'system', name: 'bench' })
    const { refused } = await loadFiles(ctx, { files, strict: false })
    if (refused > 0) throw new Error(`${refused} lines of the data were refused`)
    for (const runBatch of AFTERWARDS) while (await runBatch(ctx)) {}
  } finally {
    await database.close()
  }
}

/** The imported data contains no roles. */
async function addModerator(pool: pg.Pool): Promise<void> {
  await pool.query(`insert into network_user (user_id, display_name) values ('${MODERATOR}', 'Moderator')`)
  await pool.query(`
    insert into community_user (community_id, user_id, membership, roles)
    values ('${COMMUNITY}', '${MODERATOR}', 'member', '{community-moderator}')`)
  await pool.query(`
    insert into channel_user (channel_id, user_id, membership, roles)
    values ('${CHANNEL}', '${MODERATOR}', 'member', '{channel-moderator}')`)
  await pool.query(`
    insert into tally_delta (kind, subject_id, delta) values
      ('community_members', '${COMMUNITY}', 1), ('community_moderators', '${COMMUNITY}', 1), ('channel_members', '${CHANNEL}', 1)`)
}
