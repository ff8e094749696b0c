/** What one process counts about itself, for Prometheus (text format 0.0.4). Labels never name a person. */
export type Metrics = ReturnType<typeof makeMetrics>

type Labels = Readonly<Record<string, string>>

const COUNTERS = {
  howl_http_requests_total: 'Calls and pages answered, by route pattern',
  howl_mails_total: 'Attempts at sending a mail, by how they ended',
  howl_imap_syncs_total: 'Times that a mailbox was read, by how that ended',
  howl_model_calls_total: 'Questions to language models, by whose model and how they ended',
} as const

const HISTOGRAMS = {
  howl_http_request_duration_seconds: 'How long calls and pages took, by route pattern',
  howl_model_call_duration_seconds: 'How long language models took to answer',
} as const

export type CounterName = keyof typeof COUNTERS
export type HistogramName = keyof typeof HISTOGRAMS

/** Upper bounds in seconds. */
const BUCKETS: Record<HistogramName, readonly number[]> = {
  howl_http_request_duration_seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  howl_model_call_duration_seconds: [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120],
}

/** Sets of labels per metric; whatever comes beyond is not counted, so that memory is bounded. */
const SERIES_MAX = 2000

type Histogram = { labels: Labels; counts: number[]; sum: number; total: number }

/** The metrics of a process that has just started. */
export function makeMetrics() {
  const counters = new Map<CounterName, Map<string, number>>()
  const histograms = new Map<HistogramName, Map<string, Histogram>>()
  return {
    /** Adds to a counter. */
    count: (name: CounterName, labels: Labels = {}, by = 1): void => {
      const series = seriesOf(counters, name)
      const key = labelText(labels)
      if (series.has(key) || series.size < SERIES_MAX) series.set(key, (series.get(key) ?? 0) + by)
    },
    /** Adds a time to a histogram. */
    observe: (name: HistogramName, labels: Labels, seconds: number): void => {
      const series = seriesOf(histograms, name)
      const key = labelText(labels)
      const bounds = BUCKETS[name]
      const known = series.get(key)
      if (known === undefined && series.size >= SERIES_MAX) return
      const found = known ?? { labels, counts: bounds.map(() => 0), sum: 0, total: 0 }
      series.set(key, found)
      found.sum += seconds
      found.total += 1
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      if (bucket !== -1) found.counts[bucket] = (found.counts[bucket] ?? 0) + 1
    },
    /** All of them as text. */
    text: () =>
      [
        ...Object.entries(COUNTERS).map(([name, help]) =>
          family(
            name,
            help,
            'counter',
            [...(counters.get(name as CounterName) ?? [])].map(
              ([labels, value]) => `${name}${labels} ${value}`,
            ),
          ),
        ),
        ...Object.entries(HISTOGRAMS).map(([name, help]) =>
          family(
            name,
            help,
            'histogram',
            [...(histograms.get(name as HistogramName)?.values() ?? [])].flatMap((each) =>
              histogramLines(name, BUCKETS[name as HistogramName], each),
            ),
          ),
        ),
      ].join(''),
  }
}

/** A figure that is read at the moment it is asked for; several if it has labels. */
export type Gauge = {
  name: string
  help: string
  type?: 'gauge' | 'counter'
  values: readonly { labels?: Labels; value: number }[]
}

/** A figure with one value, or with several by their labels. */
export const gauge = (name: string, help: string, values: number | Gauge['values']): Gauge => ({
  name,
  help,
  values: typeof values === 'number' ? [{ value: values }] : values,
})

/** Figures as text, in the same format. */
export function gaugesText(gauges: readonly Gauge[]): string {
  return gauges
    .map(({ name, help, type = 'gauge', values }) =>
      family(
        name,
        help,
        type,
        values.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
      ),
    )
    .join('')
}

function seriesOf<Name, Series>(all: Map<Name, Map<string, Series>>, name: Name): Map<string, Series> {
  const series = all.get(name) ?? new Map<string, Series>()
  all.set(name, series)
  return series
}

/** A metric without series is left out: its lines alone would say nothing. */
function family(name: string, help: string, type: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum, total }: Histogram,
): string[] {
  let below = 0
  return [
    ...bounds.map((bound, place) => {
      below += counts[place] ?? 0
      return `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${below}`
    }),
    `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${total}`,
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${total}`,
  ]
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string) =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
