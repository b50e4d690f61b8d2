import { randomUUID } from 'node:crypto'
import { Command, CommanderError } from 'commander'
import { auditAcceptRestore, auditCheckpoint, auditVerify } from '#server/cli/audit.ts'
import type { CommandContext, Outcome } from '#server/cli/command.ts'
import { importFiles } from '#server/cli/import.ts'
import { keyCreate, keyList, keyRevoke } from '#server/cli/key.ts'
import { staffCreate } from '#server/cli/staff.ts'
import { lifetime, tokenCreate, tokenList, tokenRevoke } from '#server/cli/token.ts'
import type { Ctx } from '#server/core/ctx.ts'
import { readSettings, type Settings } from '#server/core/env.ts'
import { DomainError } from '#server/core/errors.ts'
import { type Home, openHome } from '#server/core/home.ts'
import { createLogger } from '#server/core/log.ts'
import { keyFor } from '#server/core/secret.ts'
import { migrate } from '../../prisma/migrate.ts'

const program = new Command('docket')
  .description(
    'The command line of Docket. Without DATABASE_URL it finds the embedded database, or starts it while it works.',
  )
  .exitOverride()

program
  .command('migrate')
  .description('apply migrations')
  .action(() => run(async () => ({ json: { migrated: true }, text: 'The database is up to date.' })))

program
  .command('import')
  .description('load NDJSON or NDJSON.gz files')
  .argument('<file...>')
  .option('--strict', 'add nothing of a file that has a bad line, and fail')
  .action((files: string[], options: { strict?: boolean }) =>
    run((at) =>
      importFiles(at, { files, strict: options.strict === true, isTerminal: process.stderr.isTTY && !isJson() }),
    ),
  )

const staff = program.command('staff').description('dashboard accounts')
staff
  .command('create')
  .requiredOption('--email <email>')
  .requiredOption('--name <name>')
  .requiredOption(
    '--role <role>',
    'global-admin, super-moderator, moderator, support, community-moderator or channel-moderator',
  )
  .option('--community <community>', 'where a community role counts')
  .option('--channel <channel>', 'where a channel role counts')
  .option('--user-id <user>', 'the network user it acts as; one of its own is made without')
  .option('--password <password>', 'without it one is generated and shown')
  .action((options) => run((at) => staffCreate(at, options)))

const token = program.command('token').description('access tokens of the REST interface')
token
  .command('create')
  .option('--admin', 'for server-to-server calls, network-wide')
  .option('--user-id <user>', 'for one user')
  .option('--expires <time>', 'such as 15m, 12h or 365d', lifetime, lifetime('365d'))
  .action((options) => run((at) => tokenCreate(at, options)))
token
  .command('list')
  .description('the admin tokens, or those of one user, with their last use')
  .option('--user-id <user>', 'whose')
  .action((options) => run((at) => tokenList(at, options)))
token
  .command('revoke')
  .description('end a token: nothing takes it from the next call on')
  .argument('<id>', 'as `token list` shows it')
  .action((id: string) => run((at) => tokenRevoke(at, id)))

const key = program.command('key').description('API keys: those that apps embed, and the server keys of backends')
key
  .command('create')
  .requiredOption('--name <name>')
  .option(
    '--allow <list>',
    'sessions, roles, server (secret: it vouches for any user)',
    (value: string) => value.split(','),
    ['sessions'],
  )
  .action((options) => run((at) => keyCreate(at, options)))
key
  .command('list')
  .description('every key there was, with its last use')
  .action(() => run((at) => keyList(at)))
key
  .command('revoke')
  .description('end a key: nothing takes it from the next call on')
  .argument('<id>', 'as `key list` shows it')
  .action((id: string) => run((at) => keyRevoke(at, id)))

const audit = program.command('audit').description('the audit chain')
audit
  .command('verify')
  .description(
    'check the whole log against its seals, signatures and signed heads; exit 1 and name the first bad row where it was changed',
  )
  .option('--checkpoint <file>', 'a checkpoint exported earlier: finds a tail that was cut off or rewritten')
  .action((options) => run((at) => auditVerify(at, options)))
audit
  .command('checkpoint')
  .description('print the end of the chain, to be kept elsewhere')
  .action(() => run((at) => auditCheckpoint(at)))
audit
  .command('accept-restore')
  .description('go on from a database that was restored from an older backup; the log says what was lost and why')
  .requiredOption('--reason <reason>', 'kept in the log')
  .action((options) => run((at) => auditAcceptRestore(at, options)))

for (const command of leavesOf(program)) command.option('--json', 'end with one JSON object on standard output')

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

function isJson(): boolean {
  return process.argv.includes('--json')
}

/** Opens the database, brings it up to date, acts, and ends with one object or a few words; a failure is one clear line. */
async function run(act: (at: CommandContext) => Promise<Outcome>): Promise<void> {
  let home: Home | undefined
  try {
    const settings = readSettings(process.env)
    const log = createLogger('warn')
    const say = (line: string) => process.stderr.write(`${line}\n`)
    home = await openHome(settings, log, say)
    await home.asOwner((owner) => migrate(owner, say))
    const outcome = await act({
      ctx: commandContext(home, log, settings),
      secret: home.secret,
      auditHeadFile: home.auditHeadFile,
    })
    process.stdout.write(`${isJson() ? JSON.stringify(outcome.json) : outcome.text}\n`)
    if (outcome.hasFailed) process.exitCode = 1
  } catch (error) {
    process.stderr.write(`docket: ${messageOf(error)}\n`)
    process.exitCode = 1
  } finally {
    await home?.close()
  }
}

function commandContext({ database, clock, secret }: Home, log: Ctx['log'], { NETWORK_ID: networkId }: Settings): Ctx {
  return {
    actor: { kind: 'system', name: 'command line' },
    db: database.prisma,
    pool: database.pool,
    door: 'cli',
    requestId: randomUUID(),
    networkId,
    log,
    auditKey: keyFor(secret, 'audit'),
    now: clock.now,
    undoWindowMs: 0,
  }
}

function messageOf(error: unknown): string {
  if (error instanceof DomainError && error.facts && 'detail' in error.facts && Array.isArray(error.facts.detail))
    return error.facts.detail.join('; ')
  return error instanceof Error ? error.message : String(error)
}
