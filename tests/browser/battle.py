"""The battle viewer in a real browser: keys, links, both widths, both themes, screen readers, print, motion.

    .venv/bin/python tests/browser/battle.py target/debug/evens [--pictures FOLDER]

Needs Debian's `chromium` and what `scripts/install-extras` installs (`playwright`, `axe-playwright-python`). Says SKIPPED, and
passes, where one of them is missing.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None
try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

EVENS = ""
PICTURES = None
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SCENARIOS = {
    "splinterlands": "splinterlands/drawn-teams",
    "solforge": "solforge/factions",
    "sanctum": "sanctum/surrounded",
    "eldertale": "eldertale/three-way",
}
WIDTHS = {"phone": (360, 740), "desk": (1440, 900)}
# Names that would do something if any of them were taken for HTML.
HOSTILE = """game = "splinterlands"
battles = 1
league = "silver"
[rulesets]
fixed = ["Standard"]
[[teams]]
name = "</script><img src=x onerror=document.title=1><b>"
summoner = "Malric Inferno"
monsters = ["Pit Ogre", "Fire Beetle"]
[[teams]]
name = "Water"
summoner = "Alric Stormbringer"
monsters = ["Medusa", "Sea Genie"]
[sides]
a = ["</script><img src=x onerror=document.title=1><b>"]
b = ["Water"]
"""


def missing():
    if sync_playwright is None or Axe is None:
        return "playwright or axe-playwright-python is not installed (scripts/install-extras)"
    return None if CHROMIUM else "chromium is not installed"


class Viewer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.files = {game: cls.trace(game, [scenario, "--battle", "4"]) for game, scenario in SCENARIOS.items()}
        hostile = Path(cls.folder.name) / "hostile.toml"
        hostile.write_text(HOSTILE)
        cls.files["hostile"] = cls.trace("hostile", [str(hostile), "--battle", "0"])
        long = Path(cls.folder.name) / "long.toml"
        long.write_text(HOSTILE.replace("</script><img src=x onerror=document.title=1><b>", "Longwinded" * 9))
        cls.files["long"] = cls.trace("long", [str(long), "--battle", "0"])
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.folder.cleanup()

    @classmethod
    def trace(cls, name, arguments):
        file = Path(cls.folder.name) / f"{name}.html"
        subprocess.run([EVENS, "trace", *arguments, "--html", str(file)], check=True, stderr=subprocess.DEVNULL)
        return file

    def open(self, game, width="desk", theme="light", hash="", **options):
        size = dict(zip(("width", "height"), WIDTHS[width]))
        self.context = self.browser.new_context(viewport=size, color_scheme=theme, **options)
        self.addCleanup(self.context.close)
        page = self.context.new_page()
        self.complaints, self.requests = [], []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(f"file://{self.files[game]}{hash}")
        page.wait_for_selector("#stage:not([hidden])")
        return page

    def step(self, page):
        return int(page.input_value("#scrubber"))

    def until(self, page, is_so, seconds=10):
        """Waits: the page's own policy lets no driver evaluate text again and again."""
        for _ in range(20 * seconds):
            if is_so():
                return
            page.wait_for_timeout(50)
        self.fail("it did not come about")

    def data(self, page):
        return json.loads(page.text_content("#data"))

    def silent(self):
        self.assertEqual(self.complaints, [], "nothing on the console")
        loaded = [url for url in self.requests if not url.startswith(("file:", "data:"))]
        self.assertEqual(loaded, [], "nothing is loaded from elsewhere")

    def test_keys_and_buttons_go_through_the_battle(self):
        page = self.open("splinterlands")
        steps = self.data(page)["steps"]
        weight = [step["lines"][0]["weight"] for step in steps]
        after = lambda at, most: next((i for i in range(at + 1, len(weight)) if weight[i] <= most), len(weight) - 1)
        before = lambda at, most: next((i for i in range(at - 1, -1, -1) if weight[i] <= most), 0)
        self.assertEqual(self.step(page), 1)
        self.assertTrue(page.is_disabled("#back"))
        at = 0
        moves = [
            ("ArrowRight", lambda at: at + 1),
            ("ArrowRight", lambda at: at + 1),
            ("Shift+ArrowRight", lambda at: after(at, 1)),
            ("Shift+ArrowRight", lambda at: after(at, 1)),
            ("PageDown", lambda at: after(at, 0)),
            ("Shift+ArrowLeft", lambda at: before(at, 1)),
            ("ArrowLeft", lambda at: at - 1),
            ("PageUp", lambda at: before(at, 0)),
            ("End", lambda at: len(steps) - 1),
            ("ArrowRight", lambda at: len(steps) - 1),
            ("Home", lambda at: 0),
        ]
        for key, move in moves:
            page.keyboard.press(key)
            at = move(at)
            self.assertEqual(self.step(page), at + 1, key)
            self.assertEqual(page.evaluate("location.hash"), f"#{at + 1}", "a link leads here")
            self.assertEqual(page.inner_text("#now .told"), steps[at]["lines"][0]["text"])
            self.assertEqual(page.get_attribute("#story [aria-current]", "id"), f"line-{at + 1}")
        for button, move in [("#on", lambda at: at + 1), ("#on-turn", lambda at: after(at, 1)),
                             ("#back", lambda at: at - 1), ("#last", lambda at: len(steps) - 1), ("#first", lambda at: 0)]:
            page.click(button)
            at = move(at)
            self.assertEqual(self.step(page), at + 1, button)
        # A focused button takes the space bar for itself, the arrows still step.
        page.focus("#play")
        page.keyboard.press("ArrowRight")
        self.assertEqual(self.step(page), 2)
        self.silent()

    def test_it_plays_by_itself_and_stops(self):
        page = self.open("eldertale")
        page.select_option("#speed", "350")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(" ")
        self.until(page, lambda: self.step(page) >= 3)
        self.assertEqual(page.inner_text("#play"), "Stop")
        page.keyboard.press(" ")
        stopped = self.step(page)
        page.wait_for_timeout(800)
        self.assertEqual(self.step(page), stopped)
        self.assertEqual(page.inner_text("#play"), "Play")
        page.keyboard.press("End")
        page.keyboard.press(" ")
        self.assertEqual(self.step(page), 1, "from the end it begins again")
        self.silent()

    def test_links_lead_to_steps(self):
        page = self.open("sanctum", hash="#40")
        self.assertEqual(self.step(page), 40)
        page.evaluate("location.hash = '#57'")
        self.until(page, lambda: self.step(page) == 57)
        page.click("#line-12")
        self.until(page, lambda: self.step(page) == 12)
        page = self.open("sanctum", hash="#99999")
        self.assertEqual(self.step(page), len(self.data(page)["steps"]), "beyond the end is the end")
        self.silent()

    def test_the_board_shows_the_numbers_of_the_data_and_what_changed(self):
        for game in SCENARIOS:
            with self.subTest(game):
                page = self.open(game)
                data = self.data(page)
                for at in range(0, len(data["steps"]), 11):
                    page.evaluate(f"location.hash = '#{at + 1}'")
                    self.until(page, lambda: self.step(page) == at + 1)
                    board = data["boards"][data["steps"][at]["board"]]
                    units = [data["units"][unit] for side in board["sides"] for zone in data["sides"][side]["zones"]
                             for unit in data["zones"][zone]["units"] if unit is not None and data["units"][unit].get("numbers")]
                    shown = page.locator("#board .unit").all()
                    self.assertEqual(len(shown), len(units))
                    for unit, card in zip(units, shown):
                        self.assertEqual(card.locator(".name").text_content(), unit["name"])
                        values = card.locator(".value b, .stat b").all_text_contents()
                        bars = [number for number in unit["numbers"] if "of" in number]
                        rest = [number for number in unit["numbers"] if "of" not in number]
                        expected = [str(number["value"]).replace("-", "−") for number in bars + rest]
                        self.assertEqual(values, expected, unit)
                self.silent()

    def test_a_blow_is_marked_with_a_sign_and_told(self):
        page = self.open("splinterlands")
        steps = self.data(page)["steps"]
        blow = next(at for at, step in enumerate(steps) if "-1 health" in step["lines"][0]["text"]
                    or "-2 health" in step["lines"][0]["text"])
        for _ in range(blow):
            page.keyboard.press("ArrowRight")
        self.assertRegex(page.inner_text("#board .change.less"), "▼[0-9]")
        self.assertIn("target", page.inner_text("#board"))
        self.assertRegex(page.inner_text("#now .changes"), "health [0-9]+ → [0-9]+")
        self.assertRegex(page.text_content("#said"), f"Step {blow + 1}.*health")
        # Dice with their odds, where any were thrown.
        die = next(at for at, step in enumerate(steps) if step.get("dice", [{}])[0].get("name") == "Hit")
        page.evaluate(f"location.hash = '#{die + 1}'")
        self.until(page, lambda: self.step(page) == die + 1)
        self.assertRegex(page.inner_text("#now .die"), "Hit\\s+[0-9]+% chance")
        self.silent()

    def test_a_unit_tells_all_about_itself(self):
        page = self.open("splinterlands")
        card = page.locator("#board .unit").nth(2)
        card.focus()
        page.keyboard.press("Enter")
        dialog = page.locator("#details[open]")
        self.assertIn(card.locator(".name").text_content(), dialog.inner_text())
        self.assertIn("Speed", dialog.inner_text())
        page.keyboard.press("ArrowRight")
        self.assertEqual(self.step(page), 1, "keys are the dialog's while it is open")
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowRight")
        self.assertEqual(self.step(page), 2)
        page.keyboard.press("?")
        self.assertTrue(page.locator("#keys[open]").is_visible())
        self.silent()

    def test_both_widths_and_themes_fit_and_can_be_read(self):
        for game in SCENARIOS:
            for width in WIDTHS:
                for theme in ("light", "dark"):
                    with self.subTest(f"{game}, {width}, {theme}"):
                        page = self.open(game, width, theme, hash="#30")
                        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                        self.assertLessEqual(wider, 0, "nothing hangs over the side")
                        # Colours are those at rest: what is fading in is paler for a quarter of a second.
                        page.evaluate("Promise.all(document.getAnimations().map(one => one.finished))")
                        found = Axe().run(page).response["violations"]
                        told = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
                        self.assertEqual(told, [])
                        if PICTURES:
                            page.screenshot(path=f"{PICTURES}/{game}-{width}-{theme}.png")
                        self.silent()

    def test_a_long_name_does_not_widen_the_page(self):
        for width in WIDTHS:
            page = self.open("long", width)
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(wider, 0, width)

    def test_speed_and_keys_are_there_on_a_phone(self):
        page = self.open("splinterlands", "phone")
        self.assertTrue(page.is_visible("#help"))
        page.select_option("#speed", label="fast")
        self.assertEqual(page.input_value("#speed"), "350")
        self.assertTrue(page.is_visible("#last"))

    def test_the_theme_can_be_chosen(self):
        page = self.open("solforge", theme="light")
        paper = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
        light = paper()
        page.click("#theme")
        self.assertNotEqual(paper(), light)
        self.assertEqual(page.inner_text("#theme"), "Light")

    def test_whoever_wants_no_motion_gets_none(self):
        page = self.open("splinterlands", hash="#30", reduced_motion="reduce")
        moving = page.evaluate("document.getAnimations().length")
        self.assertEqual(moving, 0)

    def test_paper_and_pages_without_scripts_have_the_story(self):
        page = self.open("splinterlands")
        page.emulate_media(media="print")
        self.assertFalse(page.is_visible("#board"))
        self.assertFalse(page.is_visible("#controls"))
        box = page.locator("#story").bounding_box()
        inner = page.evaluate("document.getElementById('story').scrollHeight")
        self.assertLessEqual(inner, box["height"] + 1, "all of it")
        context = self.browser.new_context(java_script_enabled=False)
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto(f"file://{self.files['splinterlands']}")
        self.assertIn("Round 1", page.inner_text("#story"))
        self.assertIn("switched off", page.inner_text("main"))

    def test_names_are_only_text(self):
        page = self.open("hostile")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        self.assertEqual(page.locator("img").count(), 0)
        self.assertIn("<img src=x", page.inner_text("h1"))
        self.assertIn("<img src=x", page.inner_text("#board"))
        self.assertNotEqual(page.title(), "1")
        self.silent()


if __name__ == "__main__":
    EVENS = str(Path(sys.argv[1]).resolve())
    if "--pictures" in sys.argv:
        PICTURES = sys.argv[sys.argv.index("--pictures") + 1]
    if missing():
        print(f"SKIPPED: {missing()}")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1], verbosity=1)
