import { startHowl, test as base } from './e2e.ts'
import { type ModelAnswer, type ModelServer, startModel } from './model.ts'
import { startSmtpSink } from './smtp-sink.ts'

/**
 * The test of a Howl with a language model: `model` is its server, which answers each test with `first` until it is told
 * otherwise. `environment` overrides settings.
 */
export function testWithModel(
  environment: Record<string, string> = {},
  first: ModelAnswer = 'Hello from the model.',
) {
  return base.extend<{ model: ModelServer }, { modelServer: ModelServer }>({
    modelServer: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
      async ({}, use) => {
        const server = await startModel(first)
        await use(server)
        await server.stop()
      },
      { scope: 'worker' },
    ],
    howl: [
      async ({ modelServer }, use) => {
        const systemMail = await startSmtpSink()
        const app = await startHowl({
          AI_BASE_URL: modelServer.baseUrl,
          AI_MODEL: 'moon-7b',
          ...environment,
        })
        await use({ ...app, systemMail })
        await app.end()
        await systemMail.stop()
      },
      { scope: 'worker', timeout: 60_000 },
    ],
    model: async ({ modelServer }, use) => {
      modelServer.answer(first)
      await use(modelServer)
    },
  })
}
