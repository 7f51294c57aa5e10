NAME        bp-s2
ROWS
 N  NoObj   
 E  r24     
 E  r25     
 E  r72     
 E  r83     
 E  r85     
 E  r86     
 E  r97     
 E  r98     
 E  r99     
 E  r100    
 E  r101    
 E  r116    
 E  r118    
 E  r130    
 E  r134    
 E  r207    
 E  r208    
 E  r209    
 E  r263    
 E  r264    
 E  r266    
 E  r267    
 E  r268    
 E  r285    
 E  r301    
 E  r303    
 E  r304    
 E  r327    
 E  r328    
 E  r330    
 E  r348    
 E  r350    
 E  r351    
 E  r365    
 E  r371    
 E  r387    
 E  r428    
 E  r430    
 E  r441    
 G  r780    
 G  r873    
 G  r876    
 G  r920    
 G  r1272   
 G  r1274   
 L  r1461   
 L  r1466   
 L  r1525   
 L  r1556   
 L  r1557   
 L  r1571   
 L  r1594   
 L  r1607   
 L  r1615   
 L  r1621   
 L  r1622   
 L  r1623   
 L  r1911   
 L  r1916   
 L  r1919   
 L  r1970   
 L  r1971   
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    c16       r1970     1
    c117      r365      1
    c176      r365      1
    c176      r1607     1
    c182      r428      1
    c182      r1607     1
    c182      r1615     1
    c184      r387      1
    c184      r1615     1
    c184      r1621     1
    c184      r1622     1
    c189      r430      1
    c189      r1621     1
    c246      r207      1
    c246      r1272     1
    c247      r207      1
    c247      r428      1
    c247      r1623     1
    c248      r208      1
    c248      r441      1
    c249      r208      1
    c249      r1622     1
    c249      r1623     1
    c250      r209      1
    c250      r1274     1
    c251      r209      1
    c251      r430      1
    c291      r441      1
    c291      r1272     1
    c291      r1274     1
    c321      r25       1
    c321      r1916     1
    c321      r1919     1
    c322      r25       1
    c322      r1970     1
    c322      r1971     1
    c378      r24       1
    c378      r263      1
    c379      r24       1
    c379      r264      1
    c382      r24       1
    c382      r267      1
    c382      r1916     1
    c429      r264      1
    c447      r780      1
    c447      r1461     1
    c507      r267      1
    c507      r1911     1
    c507      r1916     1
    c508      r268      1
    c508      r1970     1
    c508      r1971     1
    c520      r301      1
    c520      r780      -1
    c525      r301      1
    c525      r1461     1
    c528      r304      1
    c528      r1919     1
    c530      r72       1
    c530      r301      1
    c530      r780      1
    c532      r72       1
    c532      r303      1
    c533      r72       1
    c533      r304      1
    c569      r268      1
    c569      r1971     1
    c581      r85       1
    c581      r301      1
    c581      r876      1
    c583      r85       1
    c583      r303      1
    c584      r85       1
    c584      r304      1
    c586      r86       1
    c586      r301      1
    c586      r780      1
    c587      r86       1
    c588      r86       1
    c588      r303      1
    c622      r83       1
    c622      r263      1
    c622      r873      1
    c626      r83       1
    c626      r267      1
    c626      r1911     1
    c627      r83       1
    c627      r268      1
    c630      r263      1
    c646      r100      1
    c646      r330      1
    c646      r920      1
    c647      r100      1
    c647      r780      1
    c648      r101      1
    c648      r330      1
    c649      r101      1
    c649      r876      1
    c649      r1525     1
    c673      r97       1
    c673      r873      1
    c674      r97       1
    c674      r327      1
    c674      r876      1
    c675      r98       1
    c675      r873      -1
    c676      r98       1
    c676      r327      1
    c676      r1466     1
    c677      r99       1
    c677      r328      1
    c677      r873      1
    c678      r99       1
    c678      r876      -1
    c678      r1466     1
    c683      r116      1
    c683      r920      1
    c684      r116      1
    c684      r348      1
    c684      r1525     1
    c686      r348      1
    c686      r1556     1
    c686      r1557     1
    c687      r118      1
    c688      r118      1
    c688      r350      1
    c688      r1556     1
    c689      r118      1
    c689      r351      1
    c691      r350      1
    c692      r351      1
    c717      r328      1
    c717      r920      1
    c731      r371      1
    c731      r1557     1
    c734      r134      1
    c734      r350      1
    c734      r1594     1
    c735      r134      1
    c735      r351      1
    c784      r365      1
    c784      r1571     1
    c790      r371      1
    c790      r1571     1
    c794      r387      1
    c794      r1594     1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     r24       1
    RHS_V     r25       1
    RHS_V     r72       1
    RHS_V     r83       1
    RHS_V     r85       1
    RHS_V     r86       1
    RHS_V     r97       1
    RHS_V     r98       1
    RHS_V     r99       1
    RHS_V     r100      1
    RHS_V     r101      1
    RHS_V     r116      1
    RHS_V     r118      1
    RHS_V     r134      1
    RHS_V     r207      1
    RHS_V     r208      1
    RHS_V     r209      1
    RHS_V     r263      1
    RHS_V     r264      1
    RHS_V     r267      1
    RHS_V     r268      1
    RHS_V     r301      1
    RHS_V     r303      1
    RHS_V     r304      1
    RHS_V     r327      1
    RHS_V     r328      1
    RHS_V     r330      1
    RHS_V     r348      1
    RHS_V     r350      1
    RHS_V     r351      1
    RHS_V     r365      1
    RHS_V     r371      1
    RHS_V     r387      1
    RHS_V     r428      1
    RHS_V     r430      1
    RHS_V     r441      1
    RHS_V     r920      1
    RHS_V     r1272     1
    RHS_V     r1274     1
    RHS_V     r1461     1
    RHS_V     r1466     1
    RHS_V     r1525     1
    RHS_V     r1556     1
    RHS_V     r1557     1
    RHS_V     r1571     1
    RHS_V     r1594     1
    RHS_V     r1607     1
    RHS_V     r1615     1
    RHS_V     r1621     1
    RHS_V     r1622     1
    RHS_V     r1623     1
    RHS_V     r1911     1
    RHS_V     r1916     1
    RHS_V     r1919     1
    RHS_V     r1970     1
    RHS_V     r1971     1
BOUNDS
 BV BOUND     c16     
 BV BOUND     c117    
 BV BOUND     c176    
 BV BOUND     c182    
 BV BOUND     c184    
 BV BOUND     c189    
 BV BOUND     c246    
 BV BOUND     c247    
 BV BOUND     c248    
 BV BOUND     c249    
 BV BOUND     c250    
 BV BOUND     c251    
 BV BOUND     c291    
 BV BOUND     c321    
 BV BOUND     c322    
 BV BOUND     c378    
 BV BOUND     c379    
 BV BOUND     c382    
 BV BOUND     c429    
 BV BOUND     c447    
 BV BOUND     c507    
 BV BOUND     c508    
 BV BOUND     c520    
 BV BOUND     c525    
 BV BOUND     c528    
 BV BOUND     c530    
 BV BOUND     c532    
 BV BOUND     c533    
 BV BOUND     c569    
 BV BOUND     c581    
 BV BOUND     c583    
 BV BOUND     c584    
 BV BOUND     c586    
 BV BOUND     c587    
 BV BOUND     c588    
 BV BOUND     c622    
 BV BOUND     c626    
 BV BOUND     c627    
 BV BOUND     c630    
 BV BOUND     c646    
 BV BOUND     c647    
 BV BOUND     c648    
 BV BOUND     c649    
 BV BOUND     c673    
 BV BOUND     c674    
 BV BOUND     c675    
 BV BOUND     c676    
 BV BOUND     c677    
 BV BOUND     c678    
 BV BOUND     c683    
 BV BOUND     c684    
 BV BOUND     c686    
 BV BOUND     c687    
 BV BOUND     c688    
 BV BOUND     c689    
 BV BOUND     c691    
 BV BOUND     c692    
 BV BOUND     c717    
 BV BOUND     c731    
 BV BOUND     c734    
 BV BOUND     c735    
 BV BOUND     c784    
 BV BOUND     c790    
 BV BOUND     c794    
ENDATA
