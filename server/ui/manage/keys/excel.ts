import { eventFields } from '../../../../db/model.ts';

/**
 * Writes a query in M, the language of Power Query, for all events. `authorization` is an
 * expression in M, with the value of that header. Excel
 * hides most headers of answers from queries, also `Link`: so each page begins with the last date of
 * the one before. Excel handles a 401 itself, so the query cannot show the detail of a refusal.
 */
export function writePowerQuery(baseUrl: string, authorization: string): string {
  return `let
    ReadPage = (start) =>
        Json.Document(Web.Contents("${baseUrl}", [
            RelativePath = "v1/events",
            Query = [sort = "date", order = "asc"] & (if start = null then [] else [from = start]),
            Headers = [Authorization = ${authorization}]
        ]))[events],
    NextPage = (page) =>
        if List.Count(page) < 200 then {}
        else if List.First(page)[date] = List.Last(page)[date] then
            error "200 or more events begin at " & List.Last(page)[date] & "."
        else ReadPage(List.Last(page)[date]),
    Pages = List.Generate(() => ReadPage(null), each not List.IsEmpty(_), NextPage),
    Events = Table.FromRecords(List.Combine(Pages), {
        "${eventFields.join('", "')}"
    }, MissingField.UseNull),
    Unique = Table.Distinct(Events, {"id"}),
    ToLocal = (text) =>
        DateTimeZone.RemoveZone(DateTimeZone.ToLocal(DateTimeZone.FromText(text))),
    Dated = Table.TransformColumns(Unique, {
        {"date", ToLocal, type datetime},
        {"createdAt", ToLocal, type datetime}
    })
in
    Dated
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

function writeItem(name: string, formula: string): string {
  return `<Query Name="${name}"><Formula><![CDATA[${formula.trimEnd()}]]></Formula><IsParameterQuery xsi:nil="true" /><IsDirectQuery xsi:nil="true" /></Query>`;
}

/** An empty parameter, into which a person pastes the key: a file is sent by mail and shared. */
const keyParameter =
  '"" meta [IsParameterQuery = true, Type = "Text", IsParameterQueryRequired = true]';

/**
 * Writes an Office data connection (.odc), as Excel itself exports a query: opened in Excel, it fills a
 * table that "Refresh All" renews. It has no key, but a parameter for it.
 */
export function writeExcelConnection(baseUrl: string, club: string): string {
  const mashup = `<Mashup xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://schemas.microsoft.com/DataMashup"><Client>EXCEL</Client><Version>2.140.405.0</Version><MinVersion>2.21.0.0</MinVersion><Culture>en-US</Culture><SafeCombine>true</SafeCombine><Items>${writeItem('Events', writePowerQuery(baseUrl, '"Bearer " & Key'))}${writeItem('Key', keyParameter)}</Items></Mashup>`;
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv="Content-Type" content="text/x-ms-odc; charset=utf-8"/>
<meta name="ProgId" content="ODC.Database"/>
<meta name="SourceType" content="OLEDB"/>
<title>${escapeXml(club)}</title>
<xml id="docprops"><o:DocumentProperties><o:Name>Query - Events</o:Name></o:DocumentProperties></xml>
<xml id="msodc"><odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc">
<odc:PowerQueryConnection odc:Type="OLEDB">
<odc:ConnectionString>Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=Events;Extended Properties=&quot;&quot;</odc:ConnectionString>
<odc:CommandType>SQL</odc:CommandType>
<odc:CommandText>SELECT * FROM [Events]</odc:CommandText>
</odc:PowerQueryConnection>
<odc:PowerQueryMashupData>${escapeXml(mashup)}</odc:PowerQueryMashupData>
</odc:OfficeDataConnection></xml>
</head>
<body></body>
</html>
`;
}
