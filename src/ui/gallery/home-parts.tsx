import LifeBuoy from 'lucide-react/icons/life-buoy'
import { useState } from 'react'
import { Accordion } from '#ui/accordion.tsx'
import { Button } from '#ui/button.tsx'
import { Card, SectionTitle } from '#ui/card.tsx'
import { Slides } from '#ui/carousel.tsx'
import { Confetti } from '#ui/confetti.tsx'
import { Link } from '#ui/link.tsx'
import { Block, icon } from '#ui/gallery/block.tsx'

/** Components of the home page: slides, questions, confetti. */
export function HomeParts() {
  return (
    <>
      <Block title="Slides">
        <Slides
          label="Highlights"
          labels={{
            kind: 'carousel',
            pause: 'Pause slides',
            play: 'Play slides',
            slide: (number) => `Slide ${number}`,
          }}
          slides={['Every result has a receipt', 'Trade anywhere', 'Start with demo funds'].map((text) => ({
            key: text,
            content: (
              <div className="flex h-full flex-col items-start justify-between p-5">
                <p className="text-heading">{text}</p>
                <Link href="#one" className="text-small font-semibold focus-visible:outline-ink-brand">
                  See one
                </Link>
              </div>
            ),
          }))}
        />
      </Block>
      <Block title="Questions">
        <SectionTitle>Questions</SectionTitle>
        <Accordion
          initial="1"
          items={[
            {
              key: '1',
              title: 'How is a result decided?',
              content: 'The last accepted price at or before expiry is compared with your entry price.',
            },
            { key: '2', title: 'Which markets can I trade?', content: 'Crypto, US stocks and forex.' },
            { key: '3', title: 'Is this real money?', content: 'No.' },
          ]}
        />
        <Button variant="secondary" icon={<LifeBuoy {...icon} />}>
          Help & Support
        </Button>
      </Block>
      <Block title="Confetti">
        <ConfettiDemo />
      </Block>
    </>
  )
}

function ConfettiDemo() {
  const [on, setOn] = useState(false)
  return (
    <Card className="relative h-40">
      <Confetti on={on} />
      <Button variant="quiet" size="m" onClick={() => setOn(!on)} className="relative z-1">
        Throw
      </Button>
    </Card>
  )
}
