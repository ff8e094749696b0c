import { counted } from '#contract/platform/counted.ts'
import type { Finding } from '#contract/operations/system-health.ts'
import { isOnThisMachine } from '../../../platform/config.ts'
import { ModelFailure } from '../../../platform/gateways/language-model.ts'
import { askAddress, certificateOf } from '../../../platform/gateways/operators-address.ts'
import { about, failure, ok, secondsBetween, span, unknown, warning } from '../finding.ts'
import type { HealthContext } from '../health-context.ts'
import { modelRequests, ratesKnown } from '../store.ts'

/** The address that people open leads to this Howl, and is encrypted. */
export async function checkPublicUrl({ config }: HealthContext, signal: AbortSignal) {
  const { publicUrl } = config
  const isLocal = isOnThisMachine(publicUrl)
  const findings = [await reached(publicUrl, config.version, signal)]
  if (!isLocal && publicUrl.startsWith('http:'))
    findings.push(
      about(
        'Encryption',
        failure(
          'The address begins with http.',
          'Passwords and mails travel unencrypted, and anybody on the way can read them.',
          'Put a proxy with a certificate in front of Howl (Caddy makes one by itself), and set PUBLIC_URL to https://…',
        ),
      ),
    )
  if (isLocal)
    findings.push(
      about('Reach', ok('Only this machine can open Howl. Set PUBLIC_URL when others are to use it.')),
    )
  return findings
}

async function reached(publicUrl: string, version: string, signal: AbortSignal): Promise<Finding> {
  const mend = 'Set PUBLIC_URL to the address that people open, and see that the proxy there leads to Howl.'
  const wrong = 'Links in mails lead nowhere.'
  try {
    const { status, text, location } = await askAddress(`${publicUrl}/health`, signal)
    if (location !== null && status >= 300 && status < 400)
      return failure(`${publicUrl} sends visitors on to ${new URL(location, publicUrl).origin}.`, wrong, mend)
    const answer = versionIn(text)
    if (answer === null) return failure(`${publicUrl} answers ${status}, but is not Howl.`, wrong, mend)
    if (answer !== version)
      return failure(
        `At ${publicUrl} Howl ${answer} answers; this is ${version}.`,
        'Another Howl answers there.',
        mend,
      )
    return ok(`${publicUrl} leads to Howl ${answer}.`)
  } catch (error) {
    signal.throwIfAborted()
    return failure(`${publicUrl} does not answer (${(error as Error).message}).`, wrong, mend)
  }
}

function versionIn(text: string): string | null {
  try {
    const { version, worker_lag: lag } = JSON.parse(text) as { version?: unknown; worker_lag?: unknown }
    return typeof version === 'string' && lag !== undefined ? version.slice(0, 40) : null
  } catch {
    return null
  }
}

/** The certificate of the public address is trusted, and does not end soon. */
export async function checkCertificate({ config, clock, limits }: HealthContext, signal: AbortSignal) {
  const url = new URL(config.publicUrl)
  if (url.protocol !== 'https:') return ok('The public address has no certificate: it begins with http.')
  const renew = 'Renew the certificate where it is installed; Caddy and certbot do so by themselves.'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  try {
    const { validTo, issuer, fault } = await certificateOf(host, Number(url.port) || 443, signal)
    const left = secondsBetween(clock.now(), validTo)
    const seen = `The certificate of ${host} is by ${issuer}${left > 0 ? ` and good for another ${span(left)}` : ` and ended ${span(-left)} ago`}.`
    if (left <= 0) return failure(seen, 'Browsers warn everybody off this address.', renew)
    if (fault !== null)
      return failure(
        `${seen} It is not trusted (${fault}).`,
        'Browsers warn people off this address.',
        'Install a certificate of a public authority, with all that belong to it. Inside a network with an authority of its own all is well.',
      )
    if (left < limits.certificateEnds) return failure(seen, 'The certificate ends within days.', renew)
    if (left < limits.certificateEnding) return warning(seen, 'The certificate ends soon.', renew)
    return ok(seen)
  } catch (error) {
    signal.throwIfAborted()
    return unknown(
      `${host} shows no certificate (${(error as Error).message}).`,
      'See whether PUBLIC_URL is right, and whether this server can reach it.',
    )
  }
}

/** The language model answers, in what time, and whether its daily cap is reached. */
export async function checkModel(context: HealthContext, signal: AbortSignal) {
  const { config, model, limits } = context
  if (config.model === null)
    return ok('No language model is set: Howl writes by its own templates and rules.')
  const findings = [await answered(model, config.model.baseUrl, limits.modelSlow, signal)]
  const cap = config.modelDailyCap.total
  if (cap !== null) {
    const used = await modelRequests(context.db, context.clock.now().toISOString().slice(0, 10))
    const seen = `${used.toLocaleString('en')} of ${counted(cap, 'request', 'requests')} of today are used.`
    findings.push(
      about(
        'Daily cap',
        used >= cap
          ? warning(
              seen,
              'Until midnight (UTC) nobody can use the model.',
              'Raise AI_DAILY_CAP_TOTAL, and restart Howl, or wait.',
            )
          : ok(seen),
      ),
    )
  }
  return findings
}

/** Room for a model that thinks before it answers. */
const OUTPUT_TOKENS = 300

async function answered(model: HealthContext['model'], baseUrl: string, slow: number, signal: AbortSignal) {
  const { host } = new URL(baseUrl)
  const began = performance.now()
  const took = () => (performance.now() - began) / 1000
  const mend = 'See whether the server of AI_BASE_URL runs, and whether AI_API_KEY and AI_MODEL are right.'
  const without = 'Wolfy and the writing of mails work by templates and rules meanwhile.'
  try {
    await model.write({
      system: 'You are being tested. Be as brief as possible.',
      prompt: 'Say hello.',
      maxOutputTokens: OUTPUT_TOKENS,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ModelFailure)) throw error
    const seen = `${model.name} at ${host}: ${error.words}`
    if (error.kind === 'rubbish')
      return warning(seen, `It answered, but with nothing that can be used. ${without}`, mend)
    if (error.kind === 'budget')
      return failure(seen, without, 'See the limits and the bill at the provider of the model.')
    return failure(seen, without, mend)
  }
  const seen = `${model.name} at ${host} answered in ${took() < 2 ? `${Math.round(took() * 1000)} ms` : span(took())}.`
  return took() > slow
    ? warning(
        seen,
        'The model is slow. People wait for every answer.',
        'Give it a faster machine, or choose a smaller model.',
      )
    : ok(seen)
}

/** How old the exchange rates are. They are fetched only while somebody writes an invoice. */
export async function checkExchangeRates({ config, db, clock, limits }: HealthContext) {
  if (config.exchangeRatesUrl === null)
    return ok('EXCHANGE_RATES_URL is off: amounts on invoices are not converted.')
  const known = await ratesKnown(db)
  if (known === undefined) return ok('No rates were needed yet: nobody has written an invoice.')
  const mend = 'See whether this server can reach EXCHANGE_RATES_URL; the log says what came instead.'
  const now = clock.now()
  // The next try stands before it is made: an hour after rates came, five minutes after they did not.
  const isFailing = known.fetched_at === null || secondsBetween(known.fetched_at, known.next_try_at) > 3700
  if (known.as_of === null || known.fetched_at === null)
    return warning('No rates ever came.', 'Amounts on invoices are not converted.', mend)
  const age = secondsBetween(known.as_of, now)
  const seen = `The rates of ${known.source ?? 'the service'} are ${span(Math.max(age, 1))} old.`
  if (age > limits.ratesOld && isFailing)
    return warning(seen, 'No new rates come. Invoices use the old ones, and say so.', mend)
  return ok(seen)
}
