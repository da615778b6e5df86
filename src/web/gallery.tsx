import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import ChartCandlestick from 'lucide-react/icons/chart-candlestick'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Check from 'lucide-react/icons/check'
import Eye from 'lucide-react/icons/eye'
import Globe from 'lucide-react/icons/globe'
import Headphones from 'lucide-react/icons/headphones'
import House from 'lucide-react/icons/house'
import Landmark from 'lucide-react/icons/landmark'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Moon from 'lucide-react/icons/moon'
import Scale from 'lucide-react/icons/scale'
import Settings from 'lucide-react/icons/settings'
import Star from 'lucide-react/icons/star'
import Wallet from 'lucide-react/icons/wallet'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { money } from '#core/money/money.ts'
import { Accordion } from '#ui/accordion.tsx'
import { Alert } from '#ui/alert.tsx'
import { AmountField } from '#ui/amount-field.tsx'
import { BottomBar } from '#ui/bottom-bar.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Card, SectionLabel, SectionTitle } from '#ui/card.tsx'
import { CardStrip, Slides } from '#ui/carousel.tsx'
import { Checkbox, Switch } from '#ui/checkbox.tsx'
import { Chips } from '#ui/chips.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { Confetti } from '#ui/confetti.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { DemoMark } from '#ui/demo-mark.tsx'
import { Field } from '#ui/field.tsx'
import { ChangeText, MoneyText, PriceText } from '#ui/figures.tsx'
import { FlashPrice } from '#ui/flash-price.tsx'
import { Header, HEADER_WORD, SubHeader } from '#ui/header.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { Logo, LogoMark } from '#ui/logo.tsx'
import { OfflineStrip } from '#ui/offline-strip.tsx'
import { OptionList } from '#ui/option-list.tsx'
import { Pager } from '#ui/pager.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { OutcomeDisc, OutcomePill, Pill } from '#ui/pill.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { Rail } from '#ui/rail.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { Sparkline } from '#ui/sparkline.tsx'
import { SplitBar } from '#ui/split-bar.tsx'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { Avatar, SymbolMark } from '#ui/symbol-mark.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { ToastProvider, useToast } from '#ui/toast.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { DirectionArrow, DirectionTile, SortMark } from '#ui/triangle.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import './gallery.css'

/** Shows every component on one page during development. The production build does not contain this page. */
const icon = { size: 20, strokeWidth: 1.75 }
const NAV = [
  { href: '#home', label: 'Home', Icon: House, active: false },
  { href: '#market', label: 'Market', Icon: ChartNoAxesColumn, active: true },
  { href: '#trade', label: 'Trade', Icon: ChartCandlestick, active: false },
  { href: '#wallet', label: 'Wallet', Icon: Wallet, active: false },
]
const MARKETS = [
  { code: 'BTC', name: 'Bitcoin', price: '67284.1000', change: 2.418, hue: 68, type: 'crypto' },
  { code: 'ETH', name: 'Ethereum', price: '3512.4400', change: 1.207, hue: 275, type: 'crypto' },
  { code: 'XRP', name: 'XRP', price: '2.4127', change: -0.864, hue: 235, type: 'crypto' },
  { code: 'AAPL', name: 'Apple', price: '228.5100', change: 0.311, hue: 30, type: 'us_stocks' },
  { code: 'EUR/USD', name: 'Euro / US dollar', price: '1.0842', change: -0.02, hue: undefined, type: 'us_fx' },
] as const

/** Returns a fixed wavy line, so that screenshots of this page can be compared. */
function wave(seed: number, drift: number): number[] {
  return Array.from({ length: 30 }, (_, i) => 100 + drift * i + 6 * Math.sin(i * 0.9 + seed) + 4 * Math.sin(i * 2.3))
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8 break-inside-avoid">
      <SectionLabel className="mt-0">{title}</SectionLabel>
      <div className="flex flex-col gap-2.5">{children}</div>
    </section>
  )
}

function Controls() {
  const [category, setCategory] = useState('crypto')
  const [tab, setTab] = useState('all')
  const [interval, setInterval] = useState('1m')
  const [expiry, setExpiry] = useState<string | null>('5m')
  const [amount, setAmount] = useState('100.00')
  const [page, setPage] = useState(2)
  return (
    <>
      <Block title="Segmented, tabs, chips">
        <Segmented
          label="Category"
          value={category}
          onChange={setCategory}
          options={[
            { value: 'crypto', label: 'Crypto' },
            { value: 'us_stocks', label: 'US stocks' },
            { value: 'us_fx', label: 'Forex' },
          ]}
        />
        <Tabs
          id="list"
          label="List"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'all', label: 'All' },
            { value: 'top', label: 'Top' },
            { value: 'favorites', label: 'Favorites', count: 3 },
          ]}
          end={
            <span className="flex items-center gap-1.5">
              <i className="size-1.5 rounded-full bg-ok" />
              Open 24/7
            </span>
          }
        />
        <TabPanel id="list" value={tab}>
          <Chips
            label="Interval"
            value={interval}
            onChange={setInterval}
            options={['1m', '5m', '30m', '1h', '1d'].map((value) => ({ value, label: value }))}
          />
        </TabPanel>
      </Block>
      <Block title="Order form">
        <Chips
          label="Expiry"
          look="tall"
          value={expiry}
          onChange={setExpiry}
          options={[
            { value: '1m', label: '1 min', detail: '80%' },
            { value: '5m', label: '5 min', detail: '85%' },
            { value: '30m', label: '30 min', detail: '87%' },
            { value: '1h', label: '1 hour', detail: '88%' },
            { value: '1d', label: '1 day', detail: 'closes first', disabled: true },
          ]}
        />
        <AmountField
          label="Stake"
          aside={
            <>
              Balance <MoneyText amount={money(248_050)} className="font-semibold text-fg" />
            </>
          }
          value={amount}
          onChange={setAmount}
          limit={<span className="num">Min $20.00</span>}
        />
        <Chips
          label="Quick amounts"
          look="filled"
          value={amount.replace('.00', '')}
          onChange={(value) => setAmount(`${value}.00`)}
          options={['20', '50', '100', '250', '500'].map((value) => ({ value, label: `$${value}` }))}
        />
        <Button variant="buy" icon={<DirectionArrow direction="up" />}>
          Buy · $100.00 · 5 min
        </Button>
        <div className="grid grid-cols-2 gap-2">
          <Button variant="buy" loading loadingLabel="Sending order">
            Buy
          </Button>
          <Button variant="sell" disabled>
            Sell
          </Button>
        </div>
      </Block>
      <Block title="Pager">
        <Pager
          page={page}
          pageCount={9}
          onChange={setPage}
          labels={{ pager: 'Pages', previous: 'Previous', next: 'Next', page: (number) => `Page ${number}` }}
        />
      </Block>
    </>
  )
}

function Fields() {
  const [pin, setPin] = useState('123')
  return (
    <Block title="Fields">
      <Field label="Username" defaultValue="alder_m" end={<Check size={20} strokeWidth={2.25} className="text-ok" />} />
      <div className="flex gap-2">
        <Select
          label="Code"
          ltr
          defaultValue="44"
          onChange={() => undefined}
          className="w-28"
          options={[
            { value: '44', label: '+44' },
            { value: '49', label: '+49' },
          ]}
        />
        <Field label="Phone number" ltr inputMode="tel" defaultValue="7700 900 142" className="flex-1" />
      </div>
      <Field label="Email (optional)" type="email" placeholder="The verification code goes here" />
      <PasswordField
        label="Password"
        showLabel="Show"
        hideLabel="Hide"
        defaultValue="correcthor"
        hint="6 - 20 characters"
      />
      <PasswordField
        label="Confirm password"
        showLabel="Show"
        hideLabel="Hide"
        defaultValue="correct"
        error="Passwords does not match"
      />
      <CodeField
        label="Verification code"
        defaultValue="482 113"
        action={
          <Button variant="quiet" size="s">
            Send again
          </Button>
        }
      />
      <PinField label="PIN" value={pin} onChange={setPin} />
      <Checkbox defaultChecked>
        I agree to the{' '}
        <Link href="#terms" className="font-semibold text-brand">
          terms and conditions
        </Link>
      </Checkbox>
      <Checkbox>Something not chosen</Checkbox>
    </Block>
  )
}

function Buttons() {
  const show = useToast()
  const [sheet, setSheet] = useState<'modal' | 'beside' | null>(null)
  const [vibrates, setVibrates] = useState(true)
  return (
    <Block title="Buttons, sheet, toast">
      <Button>Create account</Button>
      <div className="flex gap-2">
        <ButtonLink href="#a" variant="primary">
          Create account
        </ButtonLink>
        <ButtonLink href="#b" variant="secondary">
          Start trading
        </ButtonLink>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="m">Primary</Button>
        <Button size="m" loading>
          Loading
        </Button>
        <Button size="m" variant="quiet">
          Quiet
        </Button>
        <Button size="m" variant="danger">
          Reject
        </Button>
        <Button size="s" variant="tint">
          Deposit
        </Button>
        <Button size="s" variant="secondary">
          Try again
        </Button>
        <Switch label="Haptics" checked={vibrates} onChange={setVibrates} />
      </div>
      <div className="flex gap-2">
        <Button variant="quiet" size="m" onClick={() => setSheet('modal')}>
          Open sheet
        </Button>
        <Button variant="quiet" size="m" onClick={() => setSheet('beside')}>
          Non-modal
        </Button>
        <Button
          variant="quiet"
          size="m"
          onClick={() =>
            show({
              tone: 'success',
              text: 'ETH order settled: +$35.20',
              action: { label: 'Open', onPress: () => undefined },
            })
          }
        >
          Toast
        </Button>
      </div>
      <Sheet
        open={sheet !== null}
        modal={sheet === 'modal'}
        onClose={() => setSheet(null)}
        title="Buy BTC/USDT"
        subtitle="You win if the price ends above entry"
        mark={<DirectionTile direction="up" />}
        closeLabel="Close"
        footer={<Button variant="buy">Buy · $100.00 · 5 min</Button>}
      >
        <div className="h-40" />
      </Sheet>
    </Block>
  )
}

function Lists() {
  return (
    <>
      <Block title="Market rows">
        <CardStrip label="Featured">
          {MARKETS.slice(0, 4).map((market) => (
            <li key={market.code} className="card rounded-field! p-3">
              <Link href="#trade">
                <span className="flex items-center gap-1.5 text-small font-semibold">
                  <SymbolMark code={market.code} marketType={market.type} hue={market.hue} size={24} />
                  {market.code}
                </span>
                <Sparkline
                  points={wave(market.price.length, market.change / 4)}
                  direction={market.change > 0 ? 'up' : 'down'}
                  width={92}
                  height={30}
                />
                <PriceText value={market.price} className="block text-small font-semibold" />
                <ChangeText percent={market.change} className="text-caption!" />
              </Link>
            </li>
          ))}
        </CardStrip>
        <div className="flex items-center justify-end gap-3 text-caption font-list text-fg-3">
          <span className="flex items-center gap-1">
            Price <SortMark sorted={null} />
          </span>
          <span className="flex items-center gap-1">
            Change <SortMark sorted="descending" />
          </span>
        </div>
        {MARKETS.map((market) => (
          <div key={market.code} className="flex h-12 items-center gap-3">
            <SymbolMark code={market.code} marketType={market.type} hue={market.hue} />
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">
                {market.code}
                {market.type === 'crypto' && <span className="text-caption font-medium text-fg-3">/USDT</span>}
              </span>
              <span className="block truncate text-caption text-fg-3">{market.name}</span>
            </span>
            <Sparkline
              points={wave(market.price.length, market.change / 4)}
              direction={market.change > 0 ? 'up' : 'down'}
            />
            <span className="flex w-24 flex-col items-end">
              <FlashPrice value={market.price} className="font-semibold" />
              <ChangeText percent={market.change} className="text-caption!" />
            </span>
            <IconButton
              label="Favorite"
              icon={<Star {...icon} className="fill-brand text-brand" />}
              className="-me-3"
            />
          </div>
        ))}
      </Block>
      <Block title="List rows">
        <List>
          <ListRow icon={<ArrowDownToLine {...icon} />} label="Deposit" href="#d" />
          <ListRow icon={<ArrowUpToLine {...icon} />} label="Withdrawal" value="1 pending" href="#w" />
          <ListRow icon={<Headphones {...icon} />} label="Customer service" href="#c" external />
          <ListRow icon={<Scale {...icon} />} label="How results are decided" detail="Rule version 1" href="#r" />
        </List>
      </Block>
    </>
  )
}

function Wallets() {
  return (
    <Block title="Balance card, ring, pills">
      <Card>
        <div className="flex items-center justify-between">
          <span className="flex items-center gap-1.5 text-label font-medium text-fg-2">
            Balance <Eye size={16} strokeWidth={1.75} className="text-fg-3" />
          </span>
          <Pill tone="brand">1,250 credits</Pill>
        </div>
        <MoneyText amount={money(256_550)} mutedCents className="block text-wallet" />
        <SplitBar
          className="mt-3.5"
          parts={[
            { key: 'a', label: 'Available', value: <MoneyText amount={money(256_550)} />, weight: 2565, tone: 'brand' },
            {
              key: 'b',
              label: 'In 2 open orders',
              value: <MoneyText amount={money(22_000)} />,
              weight: 220,
              tone: 'flame',
            },
            { key: 'c', label: 'Withdrawing', value: <MoneyText amount={money(25_000)} />, weight: 250, tone: 'line' },
          ]}
        />
      </Card>
      <Card className="flex items-center gap-4">
        <CountdownRing fraction={0.56}>
          <span className="num text-[1.625rem]/[1.15] font-semibold tracking-[-.02em]">2:47</span>
          <span className="text-micro text-fg-3">of 5 min</span>
        </CountdownRing>
        <div className="flex flex-wrap gap-1.5">
          <OutcomePill outcome="won">Won</OutcomePill>
          <OutcomePill outcome="lost">Lost</OutcomePill>
          <OutcomePill outcome="draw">Draw</OutcomePill>
          <OutcomePill outcome="void">Void</OutcomePill>
          <OutcomePill outcome="pending">Pending</OutcomePill>
          <OutcomePill outcome="rejected">Rejected</OutcomePill>
          <Pill>bot</Pill>
          <OutcomeDisc outcome="won" />
          <OutcomeDisc outcome="lost" />
          <CountdownRing fraction={0.3} size={18} stroke={3} />
        </div>
      </Card>
      <p className="flex items-baseline gap-3">
        <PriceText value="67284.1000" className="text-price" />
        <ChangeText percent={2.418} size="m" />
      </p>
    </Block>
  )
}

function States() {
  return (
    <>
      <Block title="Alerts">
        <Alert tone="danger" title="Price is too old.">
          The last BTC price is 7 s old, so no order was opened. Nothing was taken from your balance.
        </Alert>
        <Alert tone="success">Updated Successfully</Alert>
        <Alert tone="info">The code went to the local outbox.</Alert>
        <OfflineStrip offline>Reconnecting. Orders keep running on the server.</OfflineStrip>
      </Block>
      <Block title="Loading, empty, error">
        <Card>
          <SkeletonRows count={3} />
        </Card>
        <Card padded={false}>
          <Empty title="No Data">No closed orders yet.</Empty>
        </Card>
        <Card padded={false}>
          <LoadError reason="unable to load data, try again later" retryLabel="Try again" onRetry={() => undefined} />
        </Card>
      </Block>
    </>
  )
}

function Home() {
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

function Deposit() {
  const [gateway, setGateway] = useState('usdt')
  const [file, setFile] = useState<File | null>(null)
  const broken = new File(['x'.repeat(2_400_000)], 'scan-large.tiff', { type: 'image/tiff' })
  return (
    <Block title="Gateway, copy, upload">
      <Card className="p-2!">
        <OptionList
          label="Gateway"
          value={gateway}
          onChange={setGateway}
          options={[
            {
              value: 'demo',
              label: 'Demo funds',
              detail: 'Instant, no fee',
              mark: <Avatar name="D" />,
            },
            {
              value: 'usdt',
              label: 'USDT, TRC-20',
              detail: '20.00 to 5,000.00 USDT, 1% + 1.00',
              mark: <Avatar name="T" />,
            },
          ]}
        />
      </Card>
      <CopyRow
        text="TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"
        labels={{ copy: 'Copy', copied: 'Copied', failed: 'Could not copy' }}
      />
      <UploadField
        label="Add payment receipt"
        rules="PNG, JPG or PDF, up to 5 MB"
        accept="image/png,image/jpeg"
        file={file}
        onChange={setFile}
        removeLabel="Remove"
      />
      <UploadField
        label="Add payment proof"
        rules="PNG, JPG or PDF, up to 5 MB"
        accept="image/png,image/jpeg"
        file={broken}
        onChange={() => undefined}
        removeLabel="Remove"
        error="This file type cannot be read. Use PNG, JPG or PDF."
      />
    </Block>
  )
}

const DEMO = 'Demo · virtual funds'

function Gallery() {
  const logo = (
    <Link href="#top">
      <Logo name="Fairwick" under={<DemoMark>{DEMO}</DemoMark>} />
    </Link>
  )
  const tools = (
    <>
      <IconButton label="Language" tight icon={<Globe {...icon} />} />
      <IconButton label="Theme" tight icon={<Moon {...icon} />} />
    </>
  )
  return (
    <ToastProvider dismissLabel="Dismiss">
      <TopBar
        label="Main"
        brand={logo}
        items={NAV}
        end={
          <>
            <span className="num me-5 text-label text-fg-3">14:29:26 UTC</span>
            <span className="me-3 flex flex-col items-end">
              <MoneyText amount={money(238_050)} className="text-small font-semibold" />
              <span className="num text-micro text-fg-3">1,250 credits</span>
            </span>
            <ButtonLink href="#deposit" variant="tint" size="s" className="me-1.5">
              Deposit
            </ButtonLink>
            {tools}
            <Avatar name="alder_m" size={32} />
          </>
        }
      />
      <Rail label="Main" top={<LogoMark size={32} />} items={NAV} />
      <Header
        className="md:ms-16 lg:hidden"
        start={logo}
        end={
          <>
            {tools}
            <Link href="#login" className={HEADER_WORD}>
              Log in
            </Link>
          </>
        }
      />
      <main className="mx-auto max-w-[1320px] px-(--gutter) pt-2 pb-[calc(var(--tab-h)+40px)] md:columns-2 md:gap-8 md:ps-24 lg:columns-3 lg:ps-(--gutter)">
        <Block title="Sub header">
          <SubHeader
            className="static! -mx-4 md:mx-0"
            title="Transaction history of everything"
            crumb="Wallet"
            backLabel="Back"
            onBack={() => undefined}
            demo={<DemoMark form="pill">{DEMO}</DemoMark>}
            end={<IconButton label="Settings" tight icon={<Settings {...icon} />} className="-me-3" />}
          />
          <h1 className="text-auth">Create your account</h1>
        </Block>
        <Lists />
        <Wallets />
        <Controls />
        <Fields />
        <Buttons />
        <Deposit />
        <States />
        <Home />
        <Block title="Wallet actions">
          <Card padded={false} className="grid grid-cols-3 gap-2">
            {[ArrowDownToLine, ArrowUpToLine, Landmark].map((Icon, index) => (
              <Link
                key={Icon.displayName ?? index}
                href="#w"
                className="flex flex-col items-center gap-2 px-1 py-3 text-center text-label font-semibold"
              >
                <span className="grid size-11 place-items-center rounded-[14px] bg-brand-tint text-brand">
                  <Icon {...icon} strokeWidth={2} />
                </span>
                {['Deposit', 'Withdraw', 'Withdrawal methods'][index]}
              </Link>
            ))}
          </Card>
        </Block>
      </main>
      <BottomBar label="Main" items={NAV} />
    </ToastProvider>
  )
}

const root = document.querySelector('#root')
if (root) createRoot(root).render(<Gallery />)
