import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import ChartCandlestick from 'lucide-react/icons/chart-candlestick'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Globe from 'lucide-react/icons/globe'
import House from 'lucide-react/icons/house'
import Landmark from 'lucide-react/icons/landmark'
import Moon from 'lucide-react/icons/moon'
import Settings from 'lucide-react/icons/settings'
import Wallet from 'lucide-react/icons/wallet'
import { createRoot } from 'react-dom/client'
import { money } from '#core/money/money.ts'
import { BottomBar } from '#ui/bottom-bar.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { DemoMark } from '#ui/demo-mark.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { Header, HEADER_WORD, SubHeader } from '#ui/header.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { Logo, LogoMark } from '#ui/logo.tsx'
import { Rail } from '#ui/rail.tsx'
import { Avatar } from '#ui/symbol-mark.tsx'
import { ToastProvider } from '#ui/toast.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { Block, icon } from '#ui/gallery/block.tsx'
import { Buttons } from '#ui/gallery/buttons.tsx'
import { Choices } from '#ui/gallery/choices.tsx'
import { DepositParts } from '#ui/gallery/deposit-parts.tsx'
import { Fields } from '#ui/gallery/fields.tsx'
import { HomeParts } from '#ui/gallery/home-parts.tsx'
import { Lists } from '#ui/gallery/lists.tsx'
import { States } from '#ui/gallery/states.tsx'
import { WalletParts } from '#ui/gallery/wallet-parts.tsx'

const NAV = [
  { href: '#home', label: 'Home', Icon: House, active: false },
  { href: '#market', label: 'Market', Icon: ChartNoAxesColumn, active: true },
  { href: '#trade', label: 'Trade', Icon: ChartCandlestick, active: false },
  { href: '#wallet', label: 'Wallet', Icon: Wallet, active: false },
]
const DEMO = 'Demo · virtual funds'

/** Shows every component on one page during development. The production build does not contain this page. */
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
        <WalletParts />
        <Choices />
        <Fields />
        <Buttons />
        <DepositParts />
        <States />
        <HomeParts />
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
