// The bare baseline of a streamed answer: a page that asks the model's server itself and appends what it reads. No session,
// nothing stored or checked.

export const barePage = `<!doctype html>
<title>Bare</title>
<input aria-label="Message"><div role="log"></div>
<script type="module">
  const box = document.querySelector('input')
  const log = document.querySelector('[role=log]')
  box.addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter') return
    const answer = log.appendChild(document.createElement('p'))
    const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: box.value }] })
    box.value = ''
    const response = await fetch('/v1/chat/completions', { method: 'POST', body })
    let rest = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\\n')
      rest = lines.pop()
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue
        answer.append(JSON.parse(line.slice(6)).choices[0].delta.content ?? '')
      }
    }
  })
</script>`
