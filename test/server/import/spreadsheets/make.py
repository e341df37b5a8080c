"""Writes the spreadsheets of this folder, each the way its program writes it.

    python3 make.py

It needs Python 3.11, and LibreOffice (`soffice`) for the .ods files and one .xlsx file. The
expectations beside the spreadsheets are written by hand; nothing here reads or writes them.
"""

import subprocess
import sys
import tempfile
import zipfile
from datetime import date, datetime, time
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

FOLDER = Path(__file__).parent
BUILT_IN = {"General": 0, "0": 1, "14": 14, "18": 18, "20": 20, "21": 21, "22": 22, "@": 49}
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


class Cell:
    """A cell with a number format, a formula or the runs of a rich text."""

    def __init__(self, value, fmt=None, formula=None, runs=None):
        self.value = value
        self.fmt = fmt
        self.formula = formula
        self.runs = runs


class Sheet:
    def __init__(self, name, rows, *, merges=(), hidden_rows=(), hidden_columns=(), date="14",
                 time="20", moment="22", filter=None, state=None, widths=(), empty_rows=0):
        self.name = name
        self.rows = rows
        self.merges = merges
        self.hidden_rows = hidden_rows
        self.hidden_columns = hidden_columns
        self.formats = {date_class: fmt for date_class, fmt in
                        ((datetime, moment), (DAY, date), (TIME, time))}
        self.filter = filter
        self.state = state
        self.widths = widths
        self.empty_rows = empty_rows

    def width(self):
        return max(1, *(len(row) for row in self.rows))

    def format_of(self, value):
        return self.formats.get(type(value), "General")


DAY = date
TIME = time


def letter(index):
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name


def column_of(name):
    number = 0
    for char in name:
        number = number * 26 + ord(char) - 64
    return number


def serial(value, mac):
    """Returns the number of a date or time in a workbook."""
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second) / 86400
    start = datetime(1904, 1, 1) if mac else datetime(1899, 12, 30)
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    difference = moment - start
    return difference.days + difference.seconds / 86400


def number_text(value):
    return str(int(value)) if value == int(value) else repr(value)


def text_xml(text):
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text else ""
    return f"<t{space}>{escape(text)}</t>"


class Workbook:
    """Collects the formats and strings of a workbook while its sheets are written."""

    def __init__(self, program, mac):
        self.program = program
        self.mac = mac
        self.formats = ["General"]
        self.strings = []

    def style(self, fmt):
        if fmt not in self.formats:
            self.formats.append(fmt)
        return self.formats.index(fmt)

    def string(self, xml):
        if xml not in self.strings:
            self.strings.append(xml)
        return self.strings.index(xml)

    def cell(self, sheet, place, content):
        cell = content if isinstance(content, Cell) else Cell(content)
        value = cell.value
        style = self.style(cell.fmt or sheet.format_of(value))
        start = f'<c r="{place}"' + (f' s="{style}"' if style else "")
        formula = f"<f>{escape(cell.formula)}</f>" if cell.formula else ""
        if value is None:
            return f"{start}/>" if self.program in ("excel", "numbers") else ""
        if isinstance(value, bool):
            return f'{start} t="b">{formula}<v>{int(value)}</v></c>'
        if isinstance(value, (int, float)):
            return f"{start}>{formula}<v>{number_text(value)}</v></c>"
        if isinstance(value, (date, time)):
            return f"{start}>{formula}<v>{number_text(serial(value, self.mac))}</v></c>"
        if cell.formula:
            return f'{start} t="str">{formula}<v>{escape(value)}</v></c>'
        if self.program == "program":
            return f'{start} t="inlineStr"><is>{text_xml(value)}</is></c>'
        xml = text_xml(value)
        if cell.runs:
            bold = '<r><rPr><b/><sz val="11"/></rPr>{}</r>'
            xml = "".join(bold.format(text_xml(run)) for run in cell.runs)
        return f'{start} t="s"><v>{self.string(xml)}</v></c>'

    def sheet(self, sheet, first):
        rows = []
        for number, row in enumerate(sheet.rows, 1):
            if not row and self.program == "excel":
                continue
            cells = "".join(self.cell(sheet, f"{letter(column)}{number}", content)
                            for column, content in enumerate(row)
                            if content is not None or self.program == "numbers")
            span = f' spans="1:{len(row)}"' if self.program == "excel" else ""
            height = ' ht="15.75" customHeight="1"' if self.program == "google" else ""
            hidden = ' hidden="1"' if number in sheet.hidden_rows else ""
            rows.append(f'<row r="{number}"{span}{height}{hidden}>{cells}</row>')
        for number in range(len(sheet.rows) + 1, len(sheet.rows) + 1 + sheet.empty_rows):
            rows.append(f'<row r="{number}" ht="15.75" customHeight="1"/>')
        end = f"{letter(sheet.width() - 1)}{len(sheet.rows)}"
        dimension = "" if self.program in ("google", "program") else f'<dimension ref="A1:{end}"/>'
        columns = "".join(
            f'<col min="{index}" max="{index}" width="{width}" customWidth="1"'
            + (' hidden="1"' if letter(index - 1) in sheet.hidden_columns else "") + "/>"
            for index, width in enumerate(sheet.widths or [14.7] * sheet.width(), 1))
        merges = "".join(f'<mergeCell ref="{ref}"/>' for ref in sheet.merges)
        filtered = ' filterMode="1"' if sheet.hidden_rows else ""
        selected = ' tabSelected="1"' if first else ""
        return "".join((
            DECLARATION, f'<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONS}">',
            f"<sheetPr{filtered}/>" if filtered else "", dimension,
            f'<sheetViews><sheetView{selected} workbookViewId="0"/></sheetViews>',
            '<sheetFormatPr baseColWidth="10" defaultRowHeight="15"/>', f"<cols>{columns}</cols>",
            f"<sheetData>{''.join(rows)}</sheetData>",
            f'<autoFilter ref="{sheet.filter}"/>' if sheet.filter else "",
            f'<mergeCells count="{len(sheet.merges)}">{merges}</mergeCells>' if merges else "",
            '<pageMargins left="0.7" right="0.7" top="0.78740157499999996" '
            'bottom="0.78740157499999996" header="0.3" footer="0.3"/>',
            '<drawing r:id="rId1"/>' if self.program == "google" else "", "</worksheet>"))

    def styles(self):
        custom = [fmt for fmt in self.formats if fmt not in BUILT_IN]
        ids = BUILT_IN | {fmt: 164 + index for index, fmt in enumerate(custom)}
        formats = "".join(f'<numFmt numFmtId="{ids[fmt]}" formatCode={quoteattr(fmt)}/>' for fmt in custom)
        xfs = "".join(f'<xf numFmtId="{ids[fmt]}" fontId="0" fillId="0" borderId="0" xfId="0"'
                      + (' applyNumberFormat="1"' if ids[fmt] else "") + "/>" for fmt in self.formats)
        return "".join((
            DECLARATION, f'<styleSheet xmlns="{MAIN}">',
            f'<numFmts count="{len(custom)}">{formats}</numFmts>' if custom else "",
            '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
            '<fills count="2"><fill><patternFill patternType="none"/></fill>'
            '<fill><patternFill patternType="gray125"/></fill></fills>',
            '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
            '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
            f'<cellXfs count="{len(self.formats)}">{xfs}</cellXfs>',
            '<cellStyles count="1"><cellStyle name="Standard" xfId="0" builtinId="0"/></cellStyles>',
            "</styleSheet>"))


def write_xlsx(name, *sheets, program="excel", mac=False):
    """Writes a workbook like Excel, Google Sheets, Numbers or a club program."""
    book = Workbook(program, mac)
    parts = {f"xl/worksheets/sheet{index}.xml": book.sheet(sheet, index == 1)
             for index, sheet in enumerate(sheets, 1)}
    entries = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{index}"'
        + (f' state="{sheet.state}"' if sheet.state else "") + f' r:id="rId{index}"/>'
        for index, sheet in enumerate(sheets, 1))
    names = "".join(
        f'<definedName name="_xlnm._FilterDatabase" localSheetId="{index}" hidden="1">'
        f"'{sheet.name}'!{sheet.filter}</definedName>"
        for index, sheet in enumerate(sheets) if sheet.filter)
    calendar = ' date1904="1"' if mac else ""
    properties = f'<workbookPr{calendar} defaultThemeVersion="124226"/>'
    parts["xl/workbook.xml"] = "".join((
        DECLARATION, f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">',
        '<fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="26026"/>'
        if program == "excel" else "",
        properties if program != "google" else "<workbookPr/>",
        '<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="12300"/></bookViews>'
        if program == "excel" else "",
        f"<sheets>{entries}</sheets>",
        f"<definedNames>{names}</definedNames>" if names else "", "</workbook>"))
    parts["xl/styles.xml"] = book.styles()
    kinds = [("worksheet", f"worksheets/sheet{index}.xml") for index in range(1, len(sheets) + 1)]
    kinds.append(("styles", "styles.xml"))
    if book.strings:
        strings = "".join(f"<si>{xml}</si>" for xml in book.strings)
        parts["xl/sharedStrings.xml"] = (
            f'{DECLARATION}<sst xmlns="{MAIN}" uniqueCount="{len(book.strings)}">{strings}</sst>')
        kinds.append(("sharedStrings", "sharedStrings.xml"))
    relation = f'{DECLARATION}<Relationships xmlns="{PACKAGE}/relationships">{{}}</Relationships>'
    parts["xl/_rels/workbook.xml.rels"] = relation.format("".join(
        f'<Relationship Id="rId{index}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for index, (kind, target) in enumerate(kinds, 1)))
    parts["_rels/.rels"] = relation.format(
        f'<Relationship Id="rId1" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/>')
    types = "application/vnd.openxmlformats-officedocument"
    overrides = [("/xl/workbook.xml", f"{types}.spreadsheetml.sheet.main+xml"),
                 ("/xl/styles.xml", f"{types}.spreadsheetml.styles+xml")]
    overrides += [(f"/xl/worksheets/sheet{index}.xml", f"{types}.spreadsheetml.worksheet+xml")
                  for index in range(1, len(sheets) + 1)]
    if book.strings:
        overrides.append(("/xl/sharedStrings.xml", f"{types}.spreadsheetml.sharedStrings+xml"))
    if program == "google":
        for index in range(1, len(sheets) + 1):
            parts[f"xl/drawings/drawing{index}.xml"] = (
                f'{DECLARATION}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/'
                'spreadsheetDrawing"/>')
            parts[f"xl/worksheets/_rels/sheet{index}.xml.rels"] = relation.format(
                f'<Relationship Id="rId1" Type="{RELATIONS}/drawing" Target="../drawings/drawing{index}.xml"/>')
            overrides.append((f"/xl/drawings/drawing{index}.xml", f"{types}.drawing+xml"))
    if program == "excel":
        parts["docProps/app.xml"] = (
            f'{DECLARATION}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/'
            'extended-properties"><Application>Microsoft Excel</Application></Properties>')
        overrides.append(("/docProps/app.xml", f"{types}.extended-properties+xml"))
    parts["[Content_Types].xml"] = "".join((
        DECLARATION, f'<Types xmlns="{PACKAGE}/content-types">',
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in overrides),
        "</Types>"))
    order = ["[Content_Types].xml", "_rels/.rels"]
    with zipfile.ZipFile(FOLDER / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in order + [part for part in parts if part not in order]:
            # A fixed time keeps the bytes of unchanged workbooks.
            archive.writestr(zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0)), parts[part],
                             zipfile.ZIP_DEFLATED)


def ods_cell(content, spans):
    cell = content if isinstance(content, Cell) else Cell(content)
    value = cell.value
    span = f' table:number-columns-spanned="{spans[0]}" table:number-rows-spanned="{spans[1]}"' if spans else ""
    formula = f" table:formula={quoteattr('of:=' + cell.formula)}" if cell.formula else ""
    if value is None:
        return f"<table:table-cell{span}/>"
    if isinstance(value, datetime):
        return f'<table:table-cell{span}{formula} table:style-name="moment" office:value-type="date" office:date-value="{value:%Y-%m-%dT%H:%M:%S}"/>'
    if isinstance(value, date):
        return f'<table:table-cell{span}{formula} table:style-name="day" office:value-type="date" office:date-value="{value:%Y-%m-%d}"/>'
    if isinstance(value, time):
        return f'<table:table-cell{span}{formula} table:style-name="time" office:value-type="time" office:time-value="PT{value:%HH%MM%S}S"/>'
    if isinstance(value, (int, float)):
        return f'<table:table-cell{span}{formula} office:value-type="float" office:value="{value}"/>'
    paragraphs = "".join(f"<text:p>{escape(line)}</text:p>" for line in value.split("\n"))
    return f'<table:table-cell{span}{formula} office:value-type="string">{paragraphs}</table:table-cell>'


def ods_table(sheet):
    spans, covered = {}, set()
    for ref in sheet.merges:
        (left, top), (right, bottom) = (
            (column_of(part.rstrip("0123456789")), int(part.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
            for part in ref.split(":"))
        spans[top, left] = (right - left + 1, bottom - top + 1)
        covered |= {(row, column) for row in range(top, bottom + 1)
                    for column in range(left, right + 1)} - {(top, left)}
    columns = "".join(
        "<table:table-column" + (' table:visibility="collapse"' if letter(index) in sheet.hidden_columns else "")
        + "/>" for index in range(sheet.width()))
    rows = ""
    for number, row in enumerate(sheet.rows, 1):
        hidden = ' table:visibility="filter"' if number in sheet.hidden_rows else ""
        cells = "".join(
            "<table:covered-table-cell/>" if (number, column) in covered
            else ods_cell(content, spans.get((number, column)))
            for column, content in enumerate([*row, *[None] * (sheet.width() - len(row))], 1))
        rows += f"<table:table-row{hidden}>{cells}</table:table-row>"
    return f"<table:table table:name={quoteattr(sheet.name)}>{columns}{rows}</table:table>"


def date_style(name, language, country, parts):
    return (f'<number:date-style style:name="{name}-format" number:language="{language}" number:country="{country}">'
            f"{parts}</number:date-style>"
            f'<style:style style:name="{name}" style:family="table-cell" style:data-style-name="{name}-format"/>')


def write_libreoffice(name, *sheets, language="de", country="DE", long_dates=False):
    """Writes a spreadsheet with LibreOffice itself, from a flat OpenDocument file."""
    short = ('<number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/>'
             '<number:text>.</number:text><number:year number:style="long"/>')
    long = ('<number:day-of-week number:style="long"/><number:text> </number:text><number:day/>'
            '<number:text> </number:text><number:month number:style="long" number:textual="true"/>'
            '<number:text> </number:text><number:year number:style="long"/>')
    clock = '<number:hours/><number:text>:</number:text><number:minutes number:style="long"/>'
    styles = (date_style("day", language, country, long if long_dates else short)
              + date_style("moment", language, country, f"{short}<number:text> </number:text>{clock}")
              + f'<number:time-style style:name="time-format">{clock}</number:time-style>'
              + '<style:style style:name="time" style:family="table-cell" style:data-style-name="time-format"/>')
    spaces = " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{space}"'
        for prefix, space in (("office", "office:1.0"), ("style", "style:1.0"), ("text", "text:1.0"),
                              ("table", "table:1.0"), ("number", "datastyle:1.0"), ("of", "of:1.2")))
    document = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {spaces} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet">'
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{''.join(map(ods_table, sheets))}</office:spreadsheet></office:body>"
        "</office:document>")
    target = FOLDER / name
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, target.stem + ".fods")
        source.write_text(document, "utf-8")
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to",
             target.suffix[1:], "--outdir", str(target.parent), str(source)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write_text(name, text, encoding="utf-8", ends="\r\n"):
    (FOLDER / name).write_bytes(text.lstrip("\n").replace("\n", ends).encode(encoding))


def day(text):
    return date.fromisoformat(text)


def clock(text):
    return time.fromisoformat(text)


def moment(text):
    return datetime.fromisoformat(text)


# Year plans made with Excel


def excel_files():
    write_xlsx("de-musikverein-jahresprogramm.xlsx", Sheet("Tabelle1", [
        ["Musikverein Harmonie Altdorf e. V. – Jahresprogramm 2026", None, None, None],
        [],
        ["Datum", "Beginn", "Veranstaltung", "Ort"],
        [day("2026-01-06"), clock("10:30"), "Dreikönigskonzert", "Stadthalle"],
        [day("2026-02-14"), clock("19:30"), "Generalversammlung", "Gasthaus Linde"],
        [day("2026-03-21"), clock("20:00"), "Frühjahrskonzert", "Stadthalle"],
        [day("2026-05-01"), clock("11:00"),
         Cell("Maifeier mit Frühschoppen", runs=["Maifeier ", "mit Frühschoppen"]), "Rathausplatz"],
        [day("2026-07-18"), Cell(None, "20"), "Ausflug nach Rothenburg"],
        [day("2026-12-20"), clock("17:00"), "Adventsmusik ", "Kirche St. Martin"],
    ], merges=["A1:D1"]), Sheet("Tabelle2", [[]]), Sheet("Tabelle3", [[]]))

    write_xlsx("de-schuetzenverein-termine.xlsx", Sheet("Termine", [
        ["Schützenverein Waldfrieden – Terminplan", None, None, None],
        [],
        ["Datum", "Beginn", "Termin", "Treffpunkt"],
        ["Mai 2026", None, None, None],
        ["Samstag, 2. Mai 2026", "19.30 Uhr", "Königsschießen", "Schützenhaus"],
        ["Sonntag, 10. Mai 2026", "11.00 Uhr", "Muttertagsfrühstück", "Schützenhaus"],
        ["Juni 2026", None, None, None],
        ["Freitag, 5. Juni 2026", "20 Uhr", "Vorstandssitzung", "Gasthof Krone"],
        ["Samstag, 20. Juni 2026", "14.00 Uhr", "Sommerbiathlon", "Schießstand Nord"],
        ["September 2026", None, None, None],
        ["Sonntag, 6. September 2026", "9.30 Uhr", "Kreisschützentag", "Bürgerhaus Neustadt"],
        [],
        ["Stand: 3.1.2026"],
        ["Änderungen vorbehalten"],
    ], merges=["A1:D1", "A4:D4", "A7:D7", "A10:D10"], widths=[28, 12, 30, 24]))

    write_xlsx("de-feuerwehr-dienstplan.xlsx", Sheet("Dienstplan", [
        ["Freiwillige Feuerwehr Oberau – Dienstplan 1. Halbjahr 2026", None, None, None, None, None],
        [],
        ["Tag", "Datum", "Uhrzeit", "Thema", "Ort", "Leiter"],
        ["Mo", day("2026-01-12"), "19:30-21:00", "UVV-Unterweisung", "Gerätehaus", "Kern"],
        ["Sa", day("2026-02-07"), "09:00-12:00", "Atemschutz-Übung", "Gerätehaus", "Vogt"],
        [None, None, "14:00-16:00", "Jugendfeuerwehr: Knoten und Stiche", "Gerätehaus", "Haas"],
        ["Fr", day("2026-03-13"), "19:00-22:00", "Jahreshauptversammlung", "Bürgersaal", "Kern"],
        ["Sa", day("2026-04-25"), "08:00-17:00", "Leistungsabzeichen", "Übungsplatz Au", "Vogt"],
        [None, None, "18:30-23:00", "Kameradschaftsabend", "Gerätehaus", "Kern"],
    ], merges=["A1:F1", "A5:A6", "B5:B6", "A8:A9", "B8:B9"], date="dd\\.mm\\.yy;@"))

    total = Cell(167, "0", formula="SUBTOTAL(9,G2:G8)")
    write_xlsx("de-turnverein-gefiltert.xlsx", Sheet("Veranstaltungen", [
        ["Datum", "von", "bis", "Veranstaltung", "Ort", "Interne Notiz", "Teilnehmer"],
        [day("2026-03-07"), clock("10:00"), clock("12:00"), "Kinderturnfest", "Turnhalle Süd", "Kasse: Ute", 40],
        [day("2026-03-14"), clock("19:00"), clock("21:00"), "Vorstandssitzung (intern)", "Vereinsheim", None, 8],
        [day("2026-04-18"), clock("14:00"), clock("17:00"), "Gaumeisterschaft Geräteturnen", "Sporthalle West",
         "Riegen melden", 32],
        [day("2026-05-14"), clock("09:00"), clock("18:00"), "Himmelfahrtswanderung", "Wanderparkplatz Eiche", None, 25],
        [day("2026-06-01"), clock("18:00"), clock("19:00"), "Kassenprüfung", "Geschäftsstelle", None, 3],
        [day("2026-07-11"), clock("15:00"), clock("23:00"), "Sommerfest", "Vereinsheim", "Zelt bestellen", 120],
        [day("2026-10-03"), clock("08:30"), clock("16:00"), "Herbstlauf", "Stadtpark", None, 60],
        ["Summe", None, None, None, None, None, total],
    ], filter="A1:G8", hidden_rows=[3, 6], hidden_columns=["F"]))

    write_xlsx("de-tennisclub-adressen-zuerst.xlsx", Sheet("Adressen", [
        ["Name", "Straße", "PLZ", "Ort", "Telefon"],
        ["Anna Beispiel", "Birkenweg 3", 12345, "Musterhausen", "01234 5678"],
        ["Jörg Muster", "Seeallee 17", 12347, "Seedorf", "01234 8765"],
        ["Tennisbezirk Nord", "Hauptstr. 1", 12399, "Nordstadt", "01239 100"],
    ]), Sheet("Listen", [["Plätze"], ["Platz 1"], ["Platz 2"]], state="hidden"), Sheet("Termine", [
        ["Datum", "Uhrzeit", "Was", "Wo"],
        [day("2026-04-11"), clock("09:00"), "Platzaufbau", "Tennisanlage"],
        [day("2026-04-25"), clock("14:00"), "Saisoneröffnung", "Tennisanlage"],
        [day("2026-06-27"), clock("10:00"), "Vereinsmeisterschaften", "Plätze 1–4"],
        [day("2026-10-17"), clock("19:00"), "Saisonabschluss", "Clubhaus"],
    ], date="[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", time='h:mm" Uhr"'))

    write_xlsx("de-segelclub-mac-1904.xlsx", Sheet("Blatt1", [
        ["Wann", "Was", "Wo"],
        [moment("2026-04-18T10:00"), "Ansegeln", "Steg 3"],
        [moment("2026-05-16T13:30"), "Yardstick-Regatta", "Großer See"],
        [moment("2026-08-22T18:00"), "Sommerfest", "Clubhaus"],
        [moment("2026-10-10T11:00"), "Absegeln", "Steg 3"],
    ], moment="dd/mm/yyyy\\ hh:mm"), mac=True)

    dates = ["2026-01-09", "2026-01-23", "2026-02-06", "2026-02-20", "2026-03-06"]
    rows = [["Kegelclub Alle Neune"], ["Nr.", "Wochentag", "Datum", "Uhrzeit", "Veranstaltung", "Ort"]]
    for number, text in enumerate(dates, 1):
        row = len(rows) + 1
        first = number == 1
        rows.append([
            number if first else Cell(number, formula=f"A{row - 1}+1"),
            Cell("Freitag", formula=f'TEXT(C{row},"TTTT")'),
            day(text) if first else Cell(day(text), "14", formula=f"C{row - 1}+14"),
            clock("19:30") if first else Cell(clock("19:30"), "20", formula=f"D{row - 1}"),
            Cell(f"Kegelabend {number}", formula=f'"Kegelabend "&A{row}'),
            "Bahnhofsgaststätte" if first else Cell("Bahnhofsgaststätte", formula=f"F{row - 1}"),
        ])
    write_xlsx("de-kegelclub-formeln.xlsx", Sheet("2026", rows))

    write_xlsx("de-gesangverein-ohne-jahr.xlsx", Sheet("Programm", [
        ["Jahresprogramm 2026 des Gesangvereins Frohsinn", None, None, None],
        [],
        ["Datum", "Zeit", "Anlass", "Ort"],
        ["09.01.", "19.30", "Jahreshauptversammlung", "Gasthof Adler"],
        ["28.02.", "20.00", "Liederabend", "Gemeindehaus"],
        ["1. Mai", "10.00", "Maisingen", "Dorfplatz"],
        ["20.6.", "18.00", "Sommerserenade", "Schlosshof"],
        ["13.12.", "17.00", "Weihnachtskonzert", "St. Anna"],
    ], merges=["A1:D1"]))

    write_xlsx("de-handball-saison.xlsx", Sheet("Spielplan", [
        ["TV Sandbach – Spielplan Männer", None, None, None, None, None],
        ["Saison 2026/27", None, None, None, None, None],
        [],
        ["Tag", "Datum", "Anwurf", "Heim", "Gast", "Halle"],
        ["Sa", "12.09.", "19:30", "TV Sandbach", "HSG Lahn", "Sporthalle Sandbach"],
        ["So", "27.09.", "17:00", "SG Weser", "TV Sandbach", "Weserhalle"],
        ["Sa", "14.11.", "18:00", "TV Sandbach", "HC Nordring", "Sporthalle Sandbach"],
        ["Sa", "16.01.", "19:30", "TV Sandbach", "SG Weser", "Sporthalle Sandbach"],
        ["So", "07.03.", "16:00", "HC Nordring", "TV Sandbach", "Ringhalle"],
        ["Sa", "17.04.", "19:30", "TV Sandbach", "TuS Heide", "Sporthalle Sandbach"],
    ], merges=["A1:F1", "A2:F2"]))

    write_xlsx("de-wanderverein-zeitraeume.xlsx", Sheet("Wanderplan", [
        ["Wanderplan der Ortsgruppe Buchental"],
        ["Termin", "Veranstaltung", "Treffpunkt", "Führung", "Bemerkung"],
        ["1.–3. Mai 2026", "Mehrtageswanderung Pfälzerwald", "Bahnhof, Gleis 2", "K. Brandt", "Anmeldung bis 1. April"],
        ["17.05.2026", "Familienwanderung", "Parkplatz Waldhaus", "E. Sommer"],
        ["30. Mai – 1. Juni 2026", "Hüttenwochenende", "Kirchplatz", "K. Brandt", "Hüttenschlafsack mitbringen"],
        ["24.-26.07.2026", "Alpentour", "Bahnhof, Gleis 2", "M. Lenz"],
        ["12.09.2026 bis 13.09.2026", "Grenzwanderung", "Rathaus", "E. Sommer"],
        ["06.12.2026", "Nikolauswanderung", "Parkplatz Waldhaus", "K. Brandt"],
    ]))

    write_xlsx("de-schachclub-datum-mit-uhrzeit.xlsx", Sheet("Tabelle1", [
        ["Datum/Uhrzeit", "Veranstaltung", "Halle", "Straße", "Ort", "Bemerkung"],
        ["02.05.2026 um 19:30 Uhr", "Blitzturnier", "Haus der Vereine", "Ringstr. 5", "Lindau", "Startgeld 5 €"],
        ["Sa., 16.05.2026, 14 Uhr", "Mannschaftskampf Bezirksliga", "Aula der Grundschule", "Schulweg 2", "Weiler"],
        ["Mi 10.06.2026 20.00 Uhr", "Jugendvorstand", "Haus der Vereine", "Ringstr. 5", "Lindau"],
        ["04.07.2026, ab 10 Uhr", "Offene Stadtmeisterschaft", "Rathausfoyer", "Marktplatz 1", "Lindau",
         "Anmeldung online"],
    ]))

    write_xlsx("at-trachtenverein-jahresplan.xlsx", Sheet("Jahresplan", [
        [],
        [None, "Trachtenverein D’Enzianer – Jahresplan 2026", None, None, None],
        [],
        [None, "Datum", "Zeit", "Anlass", "Ort"],
        [None, "Dienstag, 6. Jänner 2026", "ab 17 Uhr", "Sternsingen", "Ortszentrum"],
        [None, "Samstag, 7. Feber 2026", "20:00 Uhr", "Trachtenball", "Gasthaus Post"],
        [None, "So, 31. Mai 2026", "9.30 Uhr", "Frühschoppen", "Musikpavillon"],
        [None, "Sa, 15. August 2026", "ganztägig", "Almkirtag", "Hochalm"],
        [None, "Sonntag, 13. Dezember 2026", "16 Uhr", "Adventsingen", "Pfarrkirche"],
    ], merges=["B2:E2"], widths=[2.7, 28, 12, 24, 24]))

    write_xlsx("ch-turnverein-jahresprogramm.xlsx", Sheet("Jahresprogramm", [
        ["Turnverein Seedorf"],
        [],
        ["Datum", "Zeit", "Anlass", "Lokal", "Verantwortlich"],
        ["Fr 16.01.26", "20.15", "Generalversammlung", "Rest. Rössli", "Vorstand"],
        ["Sa 02.05.26", "08.00", "Papiersammlung", "Werkhof", "Aktivriege"],
        ["Sa 13.06.26", "09.30", "Kantonalturnfest", "Sportanlage Au", "Oberturner"],
        ["So 20.09.26", "10.00", "Turnfahrt", "Bahnhof", "Männerriege"],
        ["Fr 27.11.26", "19.00", "Chlausabend", "Waldhütte", "Frauenriege"],
    ]))

    write_xlsx("fr-petanque-calendrier.xlsx", Sheet("Feuil1", [
        ["La Boule Joyeuse – calendrier de la saison", None, None, None, None],
        ["Date", "Heure", "Manifestation", "Lieu", "Responsable"],
        [day("2026-03-14"), "14h", "Assemblée générale", "Club-house", "Le bureau"],
        [day("2026-04-25"), "14h30", "Concours en doublettes", "Boulodrome municipal", "M. Perrin"],
        [day("2026-06-21"), "9h00", "Challenge des Aînés", "Place du Marché", "Mme Roux"],
        [day("2026-09-05"), "14\u00a0h\u00a030", "Concours en triplettes", "Boulodrome municipal", "M. Perrin"],
        [day("2026-12-12"), "19h30", "Repas de fin d’année", "Salle des fêtes", "Le bureau"],
    ], merges=["A1:E1"], date="[$-40C]dddd\\ d\\ mmmm\\ yyyy;@"))

    write_xlsx("nl-harmonie-jaarplanning.xlsx", Sheet("Blad1", [
        ["Jaarplanning Harmonie De Eendracht", None, None, None],
        ["Datum", "Aanvang", "Activiteit", "Locatie"],
        ["JANUARI", None, None, None],
        ["zondag 11 januari 2026", "11.00 uur", "Nieuwjaarsconcert", "Dorpshuis"],
        ["MEI", None, None, None],
        ["zaterdag 2 mei 2026", "20.00 uur", "Voorjaarsconcert", "De Schouw"],
        ["dinsdag 5 mei 2026", "10.30 uur", "Bevrijdingsoptocht", "Kerkplein"],
        ["AUGUSTUS", None, None, None],
        ["vrijdag 28 augustus 2026", "19.30 uur", "Zomeravondconcert", "Muziekkiosk"],
        ["DECEMBER", None, None, None],
        ["zaterdag 19 december 2026", "20.00 uur", "Kerstconcert", "Sint-Jan"],
    ], merges=["A1:D1", "A3:D3", "A5:D5", "A8:D8", "A10:D10"]))

    write_xlsx("mixed-de-vorstandsplan.xlsx", Sheet("Kalender", [
        [],
        [None, "Vereinskalender 2026 (Stand 12.01.2026)", None, None, None, None, None],
        [],
        [None, "Wann", None, None, "Was", "Wo", "Bemerkung"],
        [None, "Tag", "Datum", "Uhrzeit"],
        [None, "So", day("2026-01-18"), clock("10:30"), "Neujahrsempfang", "Vereinsheim"],
        [None, "Fr", "13.02.2026", "19.30", "Mitgliederversammlung", "Vereinsheim", "mit Wahlen"],
        [None, "Sa", day("2026-04-25"), clock("09:00"), "Frühjahrsputz", "Gelände"],
        [None, None, None, "ca. 13 Uhr", "Grillen für die Helfer", "Gelände"],
        [None, "Mi", day("2026-05-06"), clock("18:00"), "Budgetgespräch (nur Vorstand)", "Vereinsheim"],
        [None, "Sa", "27.–28.06.2026", None, "Dorffest", "Marktplatz", "Schichtplan folgt"],
        [None, "Sa", day("2026-11-28"), "17:00 Uhr", "Lichterfest", "Vereinsheim"],
        [],
        [None, "Änderungen vorbehalten!"],
    ], merges=["B2:G2", "B4:D4", "E4:E5", "F4:F5", "G4:G5", "B8:B9", "C8:C9"], hidden_rows=[10]))

    write_xlsx("mixed-nl-voetbal-programma.xlsx", Sheet("1e elftal", [
        ["VV Velddorp – programma 1e elftal", None, None, None, None, None],
        ["Seizoen 2026-2027", None, None, None, None, None],
        [],
        ["Datum", "Aanvang", "Vertrektijd", "Thuis", "Uit", "Sportpark"],
        ["za 26-09", "14.30 uur", None, "VV Velddorp 1", "SC De Brug 1", "Sportpark De Kamp"],
        ["za 10-10", "15.00 uur", clock("13:15"), "Oranje Wit 2", "VV Velddorp 1", "Sportpark Zuid"],
        ["za 06-02", "14.30 uur", None, "VV Velddorp 1", "FC Polder 1",
         Cell("Sportpark De Kamp", formula="F5")],
        ["za 17-04", "18.00 uur", clock("16:30"), "SC De Brug 1", "VV Velddorp 1", "De Brughoek"],
        [],
        ["Totaal", None, None, Cell(4, formula="COUNTA(D5:D8)")],
    ], merges=["A1:F1", "A2:F2"], hidden_columns=["C"]))

    write_xlsx("asks/de-ohne-jahr.xlsx", Sheet("Tabelle1", [
        ["Termine des Dorfvereins"],
        [],
        ["Datum", "Beginn", "Veranstaltung", "Ort"],
        ["24.01.", "19:30", "Versammlung", "Gasthaus"],
        ["02.05.", "14:00", "Kinderfest", "Festplatz"],
        ["10.10.", "20:00", "Herbstball", "Turnhalle"],
    ]))


# Workbooks of other programs


def other_workbooks():
    write_xlsx("us-little-league-google.xlsx", Sheet("Schedule", [
        ["Date", "Time", "Home", "Visitor", "Field", "Umpires"],
        [day("2026-04-11"), clock("09:00"), "Comets", "River Rats", "Lincoln Park Field 2", "Dana"],
        [day("2026-04-18"), clock("13:30"), "Red Foxes", "Comets", "Oak Street Field"],
        [day("2026-05-02"), clock("09:00"), "Comets", "Blue Herons", "Lincoln Park Field 2", "Lee"],
        [day("2026-05-08"), clock("18:30"), "River Rats", "Comets", "Miller Field"],
    ], date="m/d/yyyy", time="h:mm am/pm", empty_rows=995), program="google")

    write_xlsx("us-yacht-club-numbers.xlsx", Sheet("Export Summary", [
        [],
        [None, "This document was exported from Numbers. Each table was converted to an Excel worksheet. "
               "All other objects on each Numbers sheet were placed on separate worksheets. "
               "Please be aware that formula calculations may differ in Excel."],
        [],
        [None, "Numbers Sheet Name", "Numbers Table Name", "Excel Worksheet Name"],
        [None, "Sheet 1", None, None],
        [None, None, "Season Calendar", "Sheet 1"],
    ]), Sheet("Sheet 1", [
        ["Season Calendar", None, None, None, None],
        ["Event", "Date", "Start", "Location", "Notes"],
        ["Work Party", moment("2026-04-25T00:00"), Cell(moment("2026-01-10T09:00"), "h:mm AM/PM"), "Dock A",
         "Bring gloves"],
        ["Commodore’s Ball", moment("2026-05-16T00:00"), Cell(moment("2026-01-10T18:30"), "h:mm AM/PM"), "Clubhouse",
         None],
        ["Wednesday Night Race", moment("2026-06-03T00:00"), Cell(moment("2026-01-10T17:45"), "h:mm AM/PM"),
         "Outer Harbor", "First of ten"],
        ["Fall Regatta", moment("2026-09-12T00:00"), Cell(moment("2026-01-10T12:00"), "h:mm AM/PM"), "Outer Harbor",
         None],
    ], merges=["A1:E1"], moment="m/d/yy"), program="numbers")

    write_xlsx("uk-play-cricket-fixtures.xlsx", Sheet("Fixtures", [
        ["Date", "Time", "Home Club", "Home Team", "Away Club", "Away Team", "Ground", "Division", "Status"],
        [day("2026-05-02"), clock("13:00"), "Ashcombe CC", "1st XI", "Barton CC", "1st XI", "Ashcombe Park",
         "Division 2 East", "To be played"],
        [day("2026-05-09"), clock("13:00"), "Kingsford CC", "1st XI", "Ashcombe CC", "1st XI", "Mill Lane",
         "Division 2 East", "To be played"],
        [day("2026-05-10"), clock("11:00"), "Ashcombe CC", "Under 13", "Tilney CC", "Under 13", "Ashcombe Park",
         "Junior League North", "To be played"],
        [day("2026-06-20"), clock("13:30"), "Ashcombe CC", "2nd XI", "Barton CC", "3rd XI", "Recreation Ground",
         "Division 5 East", "To be played"],
    ], date="dd/mm/yyyy", time="hh:mm"))

    headings = ["Division", "N° de match ", "Equipe 1", "Equipe 2", "Date de rencontre", "Heure", "Salle",
                "e-Marque V2", "Score 1", "Forfait 1", "Score 2", "Forfait 2"]
    rest = ["Oui", None, "Non", None, "Non"]
    write_xlsx("fr-ffbb-rencontres.xlsx", Sheet("Rencontres", [
        headings,
        ["RM3", "12", "BC VALMONT", "US RIVEDOUX", "19/09/2026", "20:30", "GYMNASE JEAN MOULIN", *rest],
        ["RM3", "19", "AS LORMAY", "BC VALMONT", "04/10/2026", "15:30", "SALLE DES SPORTS", *rest],
        ["RM3", "27", "BC VALMONT", "CO MERVILLE", "17/10/2026", "20:30", "GYMNASE JEAN MOULIN", *rest],
        ["RM3", "44", "ES TOURBIERES", "BC VALMONT", "21/11/2026", "18:00", "COMPLEXE SPORTIF DU LAC", *rest],
    ]), program="program")

    write_xlsx("de-easyverein-termine.xlsx", Sheet("Termine", [
        ["Name", "Beginn", "Ende", "Ganztägig", "Ort", "Beschreibung", "Kalender"],
        ["Arbeitseinsatz Platz", "18.04.2026 10:00", "18.04.2026 14:00", "Nein", "Sportgelände",
         "Bitte Werkzeug mitbringen", "Verein"],
        ["Vatertagsturnier", "14.05.2026 00:00", "15.05.2026 00:00", "Ja", "Sportgelände", None, "Verein"],
        ["Vorstandssitzung", "12.06.2026 19:00", "12.06.2026 21:30", "Nein", "Vereinsheim", None, "Vorstand"],
        ["Sommerfest mit Tombola", "25.07.2026 14:30", "25.07.2026 23:00", "Nein", "Sportgelände",
         "Kuchenspenden willkommen", "Verein"],
    ]), program="program")

    write_xlsx("ch-swiss-volley-matchs.xlsx", Sheet("Matchs", [
        ["# Match", "Jour", "Date/heure de début du match", "CL", "H/F", "Equipe recevante", "Equipe visiteuse", "Salle"],
        [412301, "Sa", moment("2026-10-03T18:00"), "3L", "F", "VBC Aarmatt 1", "Volley Brunnthal 2", "Salle omnisports"],
        [412308, "Sa", moment("2026-10-10T16:30"), "3L", "F", "VBC Les Rives", "VBC Aarmatt 1", "Halle de la Plaine"],
        [412320, "Sa", moment("2026-11-07T20:00"), "3L", "F", "VBC Aarmatt 1", "VBC Seefluh", "Salle omnisports"],
        [412344, "Di", moment("2027-01-17T14:00"), "3L", "F", "Volley Brunnthal 2", "VBC Aarmatt 1",
         "Turnhalle Brunnthal"],
    ], moment="dd.mm.yyyy hh:mm"), program="program")

    deich = ["Sportplatz Am Deich", "4110230", "Rasenplatz"]
    at_deich = ["Deichstr. 4", "28755", "Bremen"]
    write_xlsx("de-dfbnet-spielplan.xlsx", Sheet("Vereinsspielplan", [
        ["Spieldatum", "Uhrzeit", "Sptg.", "Spielkennung", "Typ", "Heimmannschaft", "Gastmannschaft", "Spielstätte",
         "Spielstätten-Nr.", "Typ", "Straße/Hausnr.", "PLZ", "Ort"],
        ["16.08.2026", "15:00", "1", "041234001", "ME", "SV Deichtor", "TSV Moorwiese", *deich, *at_deich],
        ["23.08.2026", "11:00", "2", "041234011", "ME", "FC Hafenstadt II", "SV Deichtor", "Bezirkssportanlage West",
         "4110777", "Kunstrasenplatz", "Kaiweg 10", "28217", "Bremen"],
        ["30.08.2026", "15:00", "3", "041234018", "ME", "SV Deichtor", "SG Geestrand", *deich, *at_deich],
        ["06.09.2026", "13:15", "4", "041234026", "ME", "TuS Wümme", "SV Deichtor", "Wümmestadion", "4120045",
         "Rasenplatz", "Am Wall 1", "27356", "Rotenburg"],
    ]), program="program")


# Spreadsheets of LibreOffice


def libreoffice_files():
    write_libreoffice("mixed-fr-comite-des-fetes.xlsx", Sheet("Feuille1", [
        ["Comité des fêtes de Saint-Aubin", None, None, None, None, None],
        ["Programme de l’année"],
        ["Jour", "Date", "Horaire", "Évènement", "Lieu", "Observations"],
        ["MAI", None, None, None, None, None],
        ["vendredi", day("2026-05-01"), "de 9h à 17h", "Vide-grenier", "Place de la Mairie"],
        ["samedi", day("2026-05-02"), "15h", "Tournoi de belote", "Salle polyvalente"],
        [None, None, "20 h 30", "Bal de printemps", "Salle polyvalente"],
        ["JUIN", None, None, None, None, None],
        ["dimanche", day("2026-06-21"), "18h", "Fête de la musique", "Kiosque", "en cas de pluie : église"],
        ["JUILLET", None, None, None, None, None],
        ["mardi", day("2026-07-14"), "22h45", "Feu d’artifice", "Stade"],
        ["Total : 5 manifestations"],
    ], merges=["A1:F1", "A4:F4", "A6:A7", "B6:B7", "A8:F8", "A10:F10"]), language="fr", country="FR")

    write_libreoffice("de-gartenverein-jahresplan.ods", Sheet("Tabelle1", [
        ["Kleingartenverein Sonnenschein – Jahresplan", None, None, None, None],
        [],
        ["Datum", "Uhrzeit", "Veranstaltung", "Ort", "Kosten"],
        [day("2026-03-28"), clock("14:00"), "Frühjahrsversammlung", "Vereinshaus", 0],
        [day("2026-05-09"), clock("09:00"), "Gemeinschaftsarbeit", "Anlage Ost", 80],
        [day("2026-08-01"), clock("15:00"), "Sommerfest", "Festwiese", 350],
        [day("2026-10-24"), clock("10:00"), "Wasser abstellen", "Anlage gesamt", 0],
        [None, None, None, "Summe", Cell(430, formula="SUM([.E4:.E7])")],
    ], merges=["A1:E1"]))

    write_libreoffice("fr-chorale-agenda.ods", Sheet("Agenda", [
        ["Date", "Heure", "Intitulé", "Lieu"],
        [day("2026-06-13"), clock("15:00"), "Répétition générale", "Église Saint-Luc"],
        [None, clock("20:30"), "Concert d’été", "Église Saint-Luc"],
        [day("2026-10-04"), clock("17:00"), "Concert pour l’hospice", "Chapelle"],
        [day("2026-12-19"), clock("16:00"), "Noël des enfants", "Salle Mozart"],
    ], merges=["A2:A3"]), language="fr", country="FR", long_dates=True)

    write_libreoffice("nl-schaatsclub-agenda.ods", Sheet("Blad1", [
        ["Wanneer", "Tijd", "Wat", "Waar"],
        ["vr 2 oktober 2026", "20.00 - 22.30 uur", "Seizoensopening", "IJsbaan De Wissel"],
        ["za 14 november 2026", "13.30 - 16.00 uur", "Clubwedstrijd", "IJsbaan De Wissel"],
        ["zo 20 december 2026", "10.00 - 12.00 uur", "Kerstschaatsen", "Natuurijsbaan"],
        ["za 27 februari 2027", "19.00 uur", "Slotavond", "Kantine"],
    ]), language="nl", country="NL")

    write_libreoffice("de-kirchenchor-auftritte.ods", Sheet("Auftritte", [
        ["Beginn", "Ende", "Kürzel", "Anlass", "Ort"],
        [moment("2026-02-18T18:00"), moment("2026-02-18T19:15"), "AM", "Aschermittwoch", "St. Josef"],
        [moment("2026-03-20T19:00"), moment("2026-03-20T21:00"), "SB", "Stimmbildung Alt (intern)", "Pfarrsaal"],
        [moment("2026-04-03T15:00"), moment("2026-04-03T16:30"), "KF", "Karfreitagsliturgie", "St. Josef"],
        [moment("2026-04-05T10:30"), moment("2026-04-05T11:45"), "OS", "Osterhochamt", "St. Josef"],
        [moment("2026-11-22T17:00"), moment("2026-11-22T18:30"), "CK", "Cäcilienkonzert", "Stadtkirche"],
    ], hidden_rows=[3], hidden_columns=["C"]))

    write_libreoffice("uk-allotment-diary.ods", Sheet("Diary", [
        ["Day", "Date", "Start", "Finish", "Event", "Venue"],
        ["Sunday", day("2026-03-15"), clock("10:00"), clock("12:00"), "Seed swap", "Trading hut"],
        ["Sunday", day("2026-06-07"), clock("11:00"), clock("16:00"), "Open plots day", "Gate 2"],
        ["Saturday", day("2026-09-12"), clock("14:00"), clock("17:00"), "Autumn show", "Village hall"],
        ["Thursday", day("2026-11-05"), clock("19:30"), clock("21:00"), "Annual general meeting", "Village hall"],
    ]), language="en", country="GB")

    write_libreoffice("mixed-at-bergfreunde-winter.ods", Sheet("Mitglieder", [
        ["Name", "Ort", "Telefon", "Ausrüstung"],
        ["Resi Muster", "Bergdorf", "0660 000001", "LVS"],
        ["Toni Beispiel", "Talheim", "0660 000002", "LVS, Sonde"],
    ]), Sheet("Touren", [
        ["Bergfreunde Bergdorf – Winterprogramm 2026/27", None, None, None, None],
        [],
        ["Wann", "Uhrzeit", "Tour", "Treffpunkt", "Leitung"],
        ["Sa, 14.11.", "7:00", "Lawinenkurs", "Vereinshaus", "Toni"],
        ["So, 20.12.", "8:30 Uhr", "Schneeschuhtour Rax", "Bahnhof Süd", "Resi"],
        ["Mi, 6. Jänner", "9 Uhr", "Dreikönigstour", "Vereinshaus", "Resi"],
        ["13./14. Februar", "6 Uhr", "Hüttenwochenende Tauern", "Autobahnparkplatz Ost", "Toni"],
        ["Sa, 20.03.", "8:00", "Firntour", "Bahnhof Süd", "Toni"],
    ], merges=["A1:E1"]), country="AT")


# Text files


def quoted(rows, delimiter=","):
    """Returns rows as CSV with every cell in quotes, like Outlook."""
    return "".join(delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)


def outlook(headings, events):
    """Returns Outlook's export: events fill some of its 22 columns."""
    return quoted([headings, *([event.get(heading, "") for heading in headings] for event in events)])


def text_files():
    write_text("us-google-calendar.csv", """
Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private
Spring Gala,05/30/2026,6:30 PM,05/30/2026,11:00 PM,False,Black tie optional,"Elks Lodge, 120 Main St",False
Club Picnic,07/04/2026,,07/04/2026,,True,Bring a dish,Riverside Park,False
Board Meeting,09/15/2026,7:00 PM,09/15/2026,8:30 PM,False,,Library Room B,True
Holiday Party,12/12/2026,5:00 PM,12/12/2026,9:00 PM,False,,"Elks Lodge, 120 Main St",False
""", ends="\n")

    english = ["Subject", "Start Date", "Start Time", "End Date", "End Time", "All day event", "Reminder on/off",
               "Reminder Date", "Reminder Time", "Meeting Organizer", "Required Attendees", "Optional Attendees",
               "Meeting Resources", "Billing Information", "Categories", "Description", "Location", "Mileage",
               "Priority", "Private", "Sensitivity", "Show time as"]

    def appointment(subject, start, time_, end_time, location, **more):
        return {"Subject": subject, "Start Date": start, "Start Time": time_, "End Date": start, "End Time": end_time,
                "All day event": "False", "Reminder on/off": "True", "Reminder Date": start,
                "Reminder Time": "9:00:00 AM", "Meeting Organizer": "Pat Example", "Location": location,
                "Priority": "Normal", "Private": "False", "Sensitivity": "Normal", "Show time as": "2", **more}

    write_text("us-outlook-english.csv", outlook(english, [
        appointment("Committee Meeting", "5/2/2026", "7:30:00 PM", "9:00:00 PM", "Room 4",
                    Description="Agenda follows\nPlease read the minutes."),
        appointment("Regatta Weekend", "5/30/2026", "12:00:00 AM", "12:00:00 AM", "Town Dock",
                    **{"All day event": "True", "End Date": "6/1/2026"}),
        appointment("New Members' Evening", "6/18/2026", "6:00:00 PM", "8:00:00 PM", "Boathouse"),
        appointment("Junior Race Day", "8/9/2026", "10:15:00 AM", "4:00:00 PM", "Town Dock",
                    Categories="Juniors"),
    ]))

    german = ["Betreff", "Beginnt am", "Beginnt um", "Endet am", "Endet um", "Ganztägiges Ereignis",
              "Erinnerung Ein/Aus", "Erinnerung am", "Erinnerung um", "Besprechungsplanung",
              "Erforderliche Teilnehmer", "Optionale Teilnehmer", "Besprechungsressourcen",
              "Abrechnungsinformationen", "Beschreibung", "Kategorien", "Ort", "Priorität", "Privat",
              "Reisekilometer", "Vertraulichkeit", "Zeitspanne zeigen als"]

    def termin(betreff, tag, zeit, ende, ort, **more):
        return {"Betreff": betreff, "Beginnt am": tag, "Beginnt um": zeit, "Endet am": tag, "Endet um": ende,
                "Ganztägiges Ereignis": "Aus", "Erinnerung Ein/Aus": "Ein", "Erinnerung am": tag,
                "Erinnerung um": "08:00:00", "Besprechungsplanung": "Uta Muster", "Ort": ort,
                "Priorität": "Normal", "Privat": "Aus", "Vertraulichkeit": "Normal", "Zeitspanne zeigen als": "2",
                **more}

    write_text("de-outlook-deutsch.csv", outlook(german, [
        termin("Mitgliederversammlung", "27.3.2026", "19:30:00", "22:00:00", "Vereinsheim, großer Saal",
               Beschreibung="Tagesordnung wird verschickt", Kategorien="Verein"),
        termin("Vereinsausflug", "13.6.2026", "00:00:00", "00:00:00", "Bahnhof",
               **{"Ganztägiges Ereignis": "Ein", "Endet am": "14.6.2026"}),
        termin("Vorstandssitzung", "4.9.2026", "18:00:00", "20:00:00", "Geschäftsstelle", Kategorien="Vorstand"),
        termin("Weihnachtsfeier", "11.12.2026", "19:00:00", "23:30:00", "Gasthof Löwen",
               Beschreibung="Anmeldung bis 1.12."),
    ]), "cp1252")

    write_text("fr-comite-fetes-excel.csv", """
Calendrier des manifestations 2026;;;
;;;
Date;Heure;Manifestation;Lieu
samedi 2 mai 2026;20h30;Loto de l'école;Salle des fêtes
dimanche 14 juin 2026;9h;Marché aux fleurs;Place de l'Église
mardi 14 juillet 2026;22h30;Feu d'artifice;Étang communal
samedi 28 novembre 2026;18h00;Soirée Beaujolais;Foyer rural
""", "cp1252")

    write_text("nl-knvb-programma.csv", """
Wedstrijd;Thuisteam;Uitteam;Datum;Tijd;Accommodatie;Plaats;Scheidsrechter
24581;VV Velddorp 1;SC De Brug 1;26-09-2026;14:30;Sportpark De Kamp;Velddorp;
27730;VV Velddorp JO13-1;FC Polder JO13-2;03-10-2026;10:00;Sportpark De Kamp;Velddorp;A. Voorbeeld
24596;Oranje Wit 2;VV Velddorp 1;10-10-2026;15:00;Sportpark Zuid;Waterveen;
29004;SV Rietland VR1;VV Velddorp VR1;11-10-2026;12:00;De Rietvelden;Rietland;
""")

    write_text("de-fussball-vereinsspielplan.csv", """
Spiel;Anstoß;Heimmannschaft;Gastmannschaft;SD;MS-Art;Spielklasse;Tore;Sondereignis;Status
510240017;17.10.2026 17:00;SV Blau-Weiß Aumühle II;TSV Nachbarheim;FB;Herren;Kreisliga;;;
510866003;18.10.2026 10:30;SV Blau-Weiß Aumühle U13;JSG Bachtal;FB;D-Junioren;Kreisklasse;;;
510240025;24.10.2026 15:00;FC Fernau;SV Blau-Weiß Aumühle II;FB;Herren;Kreisliga;;;
510102041;01.11.2026 14:30;SV Blau-Weiß Aumühle;SC Hochfeld;FB;Herren;Bezirksliga;;;
""")

    write_text("de-click-tt-vereinsspielplan.csv", """
Termin;Staffel;Runde;HeimMannschaft;HalleStrasse;HalleOrt;HallePLZ;HalleName;GastVereinName;GastMannschaft;BegegnungNr;Altersklasse
10.10.2026 11:45;3. Kreisklasse West;VR;TTV Möwensee;Lübecker Straße 4;Möwensee;23456;Dreifeldhalle;SC Lüneholz;SC Lüneholz III;2;Herren
17.10.2026 19:30;3. Kreisklasse West;VR;TTV Möwensee;Lübecker Straße 4;Möwensee;23456;Dreifeldhalle;TTG Großkamp;TTG Großkamp;9;Herren
06.11.2026 20:00;3. Kreisklasse West;VR;SV Ostufer;Am Bühl 2;Ostufer;23470;Schulturnhalle;TTV Möwensee;TTV Möwensee;14;Herren
23.01.2027 15:00;3. Kreisklasse West;RR;TTV Möwensee;Lübecker Straße 4;Möwensee;23456;Dreifeldhalle;SV Ostufer;SV Ostufer;31;Herren
""", "cp1252")

    write_text("uk-wordpress-the-events-calendar.csv", """
EVENT NAME,EVENT EXCERPT,EVENT VENUE NAME,EVENT ORGANIZER NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT,EVENT DESCRIPTION,EVENT WEBSITE
Plant Sale,,Church Hall,Garden Society,2026-05-09,10:00 AM,2026-05-09,1:00 PM,FALSE,Proceeds to the roof fund,
Open Gardens,,Various gardens,Garden Society,2026-06-20,,2026-06-21,,TRUE,,https://gardens.example
Harvest Supper,,Church Hall,Village Committee,2026-09-18,7:30 PM,2026-09-18,10:30 PM,FALSE,"Tickets £12, from the shop",
Bonfire Night,,Recreation Ground,Village Committee,2026-11-07,6:30 PM,2026-11-07,9:00 PM,FALSE,,
""", ends="\n")

    write_text("us-teamsnap-league-schedule.csv", """
Date,Start Time,End Time,Arrival Time,Division,Home Team,Away Team,Location Name,Location Details,Notes
09/12/2026,09:00 AM,10:15 AM,30,U12,Prairie Wolves,Lakeside Hawks,Riverside Park,Field 3,
09/19/2026,10:30 AM,11:45 AM,30,U12,North Stars,Prairie Wolves,Memorial Complex,Field 1,
09/26/2026,09:00 AM,10:15 AM,45,U12,Prairie Wolves,Cedar Kings,Riverside Park,Field 2,Picture day
10/03/2026,01:15 PM,02:30 PM,30,U12,Lakeside Hawks,Prairie Wolves,Hawk Stadium,Turf,
""", ends="\n")

    write_text("us-high-school-opponents.csv", """
Date,Day,Opponent,Home/Away,Level,Time,Place
8/28/2026,Fri,Franklin Falcons,Home,Varsity,7:00 PM,Memorial Field
9/4/2026,Fri,Lincoln Lynx,Away,Varsity,7:30 PM,Lincoln High School
9/18/2026,Fri,Roosevelt Riders,Home,Varsity,7:00 PM,Memorial Field
10/24/2026,Sat,District Playoff,Neutral,Varsity,TBD,Neutral Site
""")

    write_text("uk-rugby-fixtures.csv", """
Date,Kick-off,Home Team,Away Team,Venue,Competition,Status
05/09/2026,15:00,Marlbury 1st XV,Old Priorians,Station Road,Counties 2,FT
12/09/2026,15:00,Westhaven RFC,Marlbury 1st XV,"The Rec, Westhaven",Counties 2,FT
19/09/2026,14:30,Marlbury 1st XV,Tolworth Vale,Station Road,Counties 2,to be played
31/10/2026,14:00,Dunmere,Marlbury 1st XV,Dunmere Park,County Cup,to be played
""", ends="\n")

    write_text("uk-spond-season.csv", """
Event,Start,End,Meet-up,Location,Description
Pre-season training,2026-09-03 18:00,2026-09-03 19:30,15,Astro pitch,Bring both shirts
Away at Hazelmere U11,2026-09-13 10:30,2026-09-13 12:00,30,Hazelmere Rec,
Parents' evening,2026-10-15 18:00,2026-10-15 19:00,0,Clubhouse,
Christmas party,2026-12-19 15:00,2026-12-19 17:00,0,Clubhouse,"Secret Santa, £5"
""", ends="\n")

    write_text("de-admidio-termine.csv", quoted([
        ["Kalender", "Veranstaltung", "Beginn", "Ende", "Ort", "Beschreibung"],
        ["Allgemein", "Tanz in den Mai", "02.05.2026 19:30", "02.05.2026 23:59", "Vereinsheim", "Eintritt frei"],
        ["Allgemein", "Arbeitseinsatz", "23.05.2026 09:00", "23.05.2026 13:00", "Bootshaus", ""],
        ["Fahrten", "Kanuwanderfahrt", "27.06.2026", "28.06.2026", "Altmühl", ""],
        ["Allgemein", "Filmabend", "16.10.2026 20:00", "16.10.2026 22:30", "Vereinsheim", ""],
    ], ";"), "utf-8-sig")

    write_text("ch-clubdesk-termine.csv", """
Titel;Datum von;Zeit von;Datum bis;Zeit bis;Ort;Kategorie;Beschreibung
Generalversammlung;23.01.2026;19:30;23.01.2026;22:00;Restaurant Bären;Vorstand;mit Nachtessen
Skitag;07.03.2026;08:00;07.03.2026;18:00;Parkplatz Badi;Ausflug;
Bundesfeier;01.08.2026;;01.08.2026;;Schulhausplatz;Anlass;
Lotto;20.11.2026;18:30;20.11.2026;23:00;Mehrzweckhalle;Anlass;
""")

    write_text("de-spg-verein-termine.csv", quoted([
        ["Datum", "Uhrzeit", "Bezeichnung", "Ort", "Bemerkung"],
        ["17.04.2026", "20:00", "Jahreshauptversammlung", "Sportheim", "Ehrungen"],
        ["06.06.2026", "10:00", "Sportabzeichentag", "Stadion", ""],
        ["18.07.2026", "16:00", "Grillfest", "Sportheim", "Salatspenden erwünscht"],
        ["15.11.2026", "11:15", "Volkstrauertag, Kranzniederlegung", "Friedhof", ""],
    ], ";"), "cp1252")

    write_text("de-numbers-tabelle.csv", """
Termine Pfadfinderstamm;;;
Datum;Start;Aktion;Wo
03.05.2026;10:00;Pfingstlager-Vorbesprechung;Pfarrheim
23.05.2026;08:30;Pfingstlager;Zeltplatz Forsthaus
31.07.2026;17:00;Übergabe der Leiterrunde;Pfarrheim
10.10.2026;14:00;Stammestag;Pfarrwiese
""", ends="\n")

    write_text("at-vereinsplaner-termine.csv", """
Titel;Terminart;Beginn;Ende;Ort;Beschreibung;Zusagen
Jahreshauptversammlung;Versammlung;30.01.2026, 19:00;30.01.2026, 22:00;Gasthof Kirchenwirt;;41
Frühlingskonzert;Auftritt;14.03.2026, 20:00;14.03.2026, 22:00;Turnsaal der Volksschule;Treffpunkt 18:30 Uhr;38
Maiblasen;Auftritt;01.05.2026, 06:00;01.05.2026, 12:00;Ortsgebiet;;35
Erntedank;Auftritt;27.09.2026, 09:15;27.09.2026, 11:00;Pfarrkirche;;29
""", "utf-8-sig", ends="\n")

    write_text("mixed-de-vereinskalender.csv", """
Heimatverein Buchental;;;;
Jahresprogramm 2026;;;;
;;;;
Datum;Uhrzeit;Veranstaltung;Ort;
Januar;;;;
Sa, 17.01.;19.30 Uhr;Jahreshauptversammlung;Vereinsheim;
So, 25.01.;10 Uhr;Winterwanderung;"Parkplatz See";
Mai;;;;
1.–3. Mai;;Maifest;Festplatz;
Sa, 9. Mai;14:00 - 17:00 Uhr;Kinderflohmarkt;Turnhalle;
;;;;
Datum;Uhrzeit;Veranstaltung;Ort;
September;;;;
Sa, 19.09.;18.00 Uhr;Weinfest;Schlosskeller;
Dezember;;;;
So, 06.12.;15 Uhr;Nikolausfeier;Vereinsheim;
;;;;
Stand: 3.1.2026;;;;
Änderungen vorbehalten;;;;
;;;;
""", "utf-8-sig")

    write_text("us-meetup-events.csv", """
Group,Event title,Date & time,Venue,RSVPs,Details,Link
Ridge Hikers,Trail Cleanup,"Sat, May 2, 2026, 9:30 AM",Bear Mountain Trailhead,18,Gloves provided,https://events.example/1
Ridge Hikers,Map & Compass Night,"Tue, May 19, 2026, 6:00 PM","City Library, Room 2",11,,https://events.example/2
Ridge Hikers,Sunrise Summit Hike,"Sun, June 7, 2026, 8:00 AM",Overlook Parking,25,,https://events.example/3
Ridge Hikers,Summer Social,"Thu, July 9, 2026, 6:45 PM",Harbor Grill,30,,https://events.example/4
""", ends="\n")

    write_text("fr-fff-district.csv", """
Date;Heure;Equipe Recevante;Equipe Visiteuse;Terrain;Compétition;Arbitre
13/09/2026;15h00;FC Bellerive;US Montclar;Stade Léo-Lagrange;Départemental 2;
20/09/2026;13h00;AS Rochefière 2;FC Bellerive;Stade du Moulin;Départemental 2;
04/10/2026;15h00;FC Bellerive;ES Côteaux;Stade Léo-Lagrange;Départemental 2;
18/10/2026;10h30;FC Bellerive U15;Entente Vallée U15;Terrain annexe;U15 Poule B;
""", "cp1252")

    write_text("de-campai-veranstaltungen.csv", """
Titel,Startdatum,Startzeit,Enddatum,Endzeit,Ort,Adresse,Status,Anmeldungen
Saisoneröffnung,2026-04-24,18:00,2026-04-24,22:00,Clubheim,"Uferweg 3, Starnhausen",Aktiv,32
After-Work-Regatta,2026-06-19,17:30,2026-06-19,21:00,Clubheim,"Uferweg 3, Starnhausen",Abgesagt,4
Sommerfest,2026-07-11,11:00,2026-07-11,23:00,Clubheim,"Uferweg 3, Starnhausen",Aktiv,85
Absegeln,2026-09-26,09:00,2026-09-26,18:00,Hafenmole,"Am Hafen 1, Starnhausen",Aktiv,12
""", ends="\n")

    write_text("mixed-uk-village-hall.csv", """
Little Wickham Village Hall,,,,,
What's on – Summer 2026,,,,,
,,,,,
Date,Time,What's on,Room,Price,Contact
Sat 2nd May 2026,7.30pm,Quiz night,Main hall,£5,Jo
Fri 15th May 2026,TBC,Film club – to be announced,Committee room,£4,Sam
Sun 31st May 2026,2pm - 5pm,Cream tea & raffle,Garden,£6.50,Jo
Wed 10th June 2026,10.30am,Coffee morning,Committee room,Free,Alex
Sat 20th June 2026,12 noon,Summer fête,Green,Free,Alex
,,,,,
All events in aid of the hall roof,,,,,
""", "cp1252")

    write_text("asks/uk-or-us-dates.csv", """
Event,Date,Time,Place
Spring meeting,05/02/2026,19:30,Clubhouse
Away day,06/07/2026,09:00,Station
Members' supper,10/11/2026,19:00,Clubhouse
""")

    write_text("asks/de-ohne-kopf.csv", """
02.05.2026;19:30;Sommerfest;Vereinsheim
20.06.2026;14:00;Kinderturnier;Sportplatz
12.12.2026;18:00;Weihnachtsfeier;Vereinsheim
""")

    write_text("de-nuliga-webtabelle.tsv", """
Tag\tDatum\tZeit\tHalle\tNr.\tHeimmannschaft\tGastmannschaft\tTore
Sa.\t03.10.2026\t17:00\tSporthalle Eschbach\t201\tTSV Eschbach\tHSG Talheim\t
\t\t19:00\tSporthalle Eschbach\t318\tTSV Eschbach II\tSG Kronau-Süd\t
So.\t11.10.2026\t16:15\tBerghalle\t209\tTV Bergen\tTSV Eschbach\t
Sa.\t24.10.2026\t18:30\tSporthalle Eschbach\t215\tTSV Eschbach\tHC Weiher\t
""", ends="\n")

    write_text("uk-hockey-fixtures.tsv", """
Date\tTime\tHome\tResult\tAway\tVenue\tLeague
Saturday 26 September 2026\t12:30\tFernleigh Ladies 1s\tv\tCastle HC 2s\tFernleigh School astro\tDivision 3 South
Saturday 3 October 2026\t14:00\tBroadoak Ladies 3s\tv\tFernleigh Ladies 1s\tBroadoak Leisure Centre\tDivision 3 South
Saturday 17 October 2026\t11:00\tFernleigh Ladies 1s\tv\tRidgeway HC\tFernleigh School astro\tDivision 3 South
""", ends="\n")

    write_text("de-excel-unicode-text.txt", """
Kulturkreis Überlingen\t\t\t
Datum\tUhrzeit\tVeranstaltung\tOrt
02.05.2026\t19:30\tFrühlingsfest „Grün & Bunt“\tGemeindesaal
21.06.2026\t11:00\tSängertreffen\tKurpark Überlingen
12.09.2026\t08:00\tAusflug nach Straßburg\tBusbahnhof
""".replace("Kulturkreis", "\ufeffKulturkreis"), "utf-16-le")

    write_text("us-schedule-pipes.txt", """
EVENT|DATE|TIME|LENGTH|LOCATION|REFEREES
Home opener vs. Hawks|2026-09-12|10:00|60|Elm Street Gym|2
Practice|2026-09-15|17:30|90|Elm Street Gym|0
Game at Westfield|2026-09-19|13:00|60|Westfield Arena|2
Practice|2026-09-22|17:30|90|Elm Street Gym|0
""", ends="\n")


if __name__ == "__main__":
    excel_files()
    other_workbooks()
    text_files()
    if "--no-libreoffice" not in sys.argv:
        libreoffice_files()
